// How long pages take to open: from the request to the first frame drawn after everything has loaded, each time in a browser
// that holds no page of before. A table, a line each, the median of the times first.
//
//   node open_page.mjs TOOLS PAGE.html...
//
// TOOLS has the node_modules. Needs an idle machine.
import { statSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const kTimes = 5

const [tools, ...files] = process.argv.slice(2)
if (files.length === 0) {
  console.error('usage: node open_page.mjs TOOLS PAGE.html...')
  process.exit(2)
}
const puppeteer = createRequire(path.resolve(tools, 'package.json'))('puppeteer-core')

/** Milliseconds since the page was asked for, when the next frame is drawn. */
function untilDrawn() {
  return new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve(performance.now()))))
}

async function open(address) {
  const browser = await puppeteer.launch({
    executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
    // A browser's sandbox needs an ordinary user; what is shown here is our own file.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
  })
  try {
    const page = await browser.newPage()
    await page.setViewport({ width: 1200, height: 900 })
    await page.goto(address, { waitUntil: 'load' })
    return await page.evaluate(untilDrawn)
  } finally {
    await browser.close()
  }
}

for (const file of files) {
  const address = pathToFileURL(path.resolve(file)).href
  const times = []
  for (let time = 0; time < kTimes; ++time) times.push(Math.round(await open(address)))
  times.sort((left, right) => left - right)
  const size = Math.round(statSync(file).size / 1024)
  console.log(`${path.basename(file)}: ${times[(kTimes - 1) / 2]} ms (${times[0]} to ${times[kTimes - 1]}), ${size} KB`)
}
