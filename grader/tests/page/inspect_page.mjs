// Looks at pages in a headless browser, light, dark, narrow and printed, and prints what is wrong with them, a line each;
// exits 1 if anything is, 77 where there is no browser.
//
//   node inspect_page.mjs TOOLS PAGE.html...
//
// TOOLS has the node_modules. Judged are: what axe-core finds for people with disabilities, that nothing is asked for
// outside of the file, that no script runs, that pictures load, that the page is as wide as the window and no wider, that no
// short word of a table is broken in two, that text in drawings is large enough, and that everything a mouse reaches is reached
// by keyboard.
// CUDALABS_SCREENSHOTS=FOLDER keeps pictures of the pages.
import { accessSync, constants, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const kSkip = 77
const kWindows = [
  { name: 'light', width: 1200, height: 900, scheme: 'light' },
  { name: 'dark', width: 1200, height: 900, scheme: 'dark' },
  { name: 'narrow', width: 360, height: 800, scheme: 'light' },
  { name: 'print', width: 794, height: 1123, scheme: 'dark' }, // A4; paper is light whatever the system is
]

const [tools, ...files] = process.argv.slice(2)
if (files.length === 0) {
  console.error('usage: node inspect_page.mjs TOOLS PAGE.html...')
  process.exit(2)
}
const require = createRequire(path.resolve(tools, 'package.json'))
const puppeteer = require('puppeteer-core')
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8')

function findBrowser() {
  if (process.env.CHROME_PATH) return process.env.CHROME_PATH
  for (const name of ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']) {
    for (const folder of (process.env.PATH ?? '').split(':')) {
      try {
        accessSync(path.join(folder, name), constants.X_OK)
        return path.join(folder, name)
      } catch {
        // Not here.
      }
    }
  }
  return undefined
}

/** Problems that the page can tell of itself. */
function problemsOfPage() {
  const problems = []
  const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth
  if (wide > 0) problems.push('is wider than its window')
  for (const picture of document.images) {
    const details = picture.closest('details')
    if (details) details.open = true
    if (!picture.complete || picture.naturalWidth === 0) problems.push(`picture \`${picture.alt.slice(0, 40)}\` does not load`)
  }
  if (document.body.dataset.scripted) problems.push('runs a script of its own')
  for (const link of document.querySelectorAll('a[href^="#"]')) {
    if (!document.getElementById(decodeURIComponent(link.hash.slice(1)))) problems.push(`link ${link.hash} leads nowhere`)
  }
  for (const text of document.querySelectorAll('svg text')) {
    const { height } = text.getBoundingClientRect()
    if (height > 0 && height < 9) problems.push(`text of a drawing is ${height.toFixed(0)} px high`)
  }
  // Words of tables and labels, but those that are long enough to be hostile, or end lines at a hyphen or a dot.
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    if (!node.parentElement.closest('td, th, .tag')) continue
    for (const { index, 0: word } of node.data.matchAll(/(?<=^|\s)[A-Za-z0-9]{2,12}(?=$|\s)/g)) {
      const range = document.createRange()
      range.setStart(node, index)
      range.setEnd(node, index + word.length)
      const rows = new Set([...range.getClientRects()].map((rect) => Math.round(rect.top)))
      if (rows.size > 1) problems.push(`breaks the word \`${word}\` in two`)
    }
  }
  return [...new Set(problems)]
}

const executablePath = findBrowser()
if (!executablePath) {
  console.error('no Chromium here; `./setup.sh slides` installs it')
  process.exit(kSkip)
}
const problems = new Set()
// A browser's sandbox needs an ordinary user; what is shown here is our own file.
const browser = await puppeteer.launch({
  executablePath,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  for (const file of files) {
    const name = path.basename(file, '.html')
    const address = pathToFileURL(path.resolve(file)).href
    for (const { name: look, width, height, scheme } of kWindows) {
      const page = await browser.newPage()
      await page.setViewport({ width, height })
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      if (look === 'print') await page.emulateMediaType('print')
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith('data:') && url.split('#')[0] !== address) problems.add(`${name}: asks for ${url}`)
      })
      page.on('dialog', (dialog) => {
        problems.add(`${name}: opens a dialog`)
        dialog.dismiss()
      })
      page.on('console', (message) => {
        if (message.type() === 'error') problems.add(`${name}: ${message.text().split(/\r?\n/)[0]}`)
      })
      await page.goto(address, { waitUntil: 'load' })
      if (process.env.CUDALABS_SCREENSHOTS) {
        const picture = path.join(process.env.CUDALABS_SCREENSHOTS, `${name}-${look}.png`)
        await page.screenshot({ path: picture, fullPage: true })
        if (look === 'print') await page.pdf({ path: picture.replace(/png$/, 'pdf'), format: 'A4' })
      }
      for (const problem of await page.evaluate(problemsOfPage)) problems.add(`${name}, ${look}: ${problem}`)
      // The driver evaluates scripts in the page whatever its policy says.
      await page.evaluate(axe)
      const { violations } = await page.evaluate(() =>
        axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }),
      )
      for (const { id, help, nodes } of violations) {
        problems.add(`${name}, ${look}: ${id}: ${help}: ${nodes[0].html.slice(0, 120)}`)
      }
      if (look === 'print') {
        const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
        if (paper !== 'rgb(255, 255, 255)') problems.add(`${name}: is printed on ${paper}`)
        await page.close()
        continue
      }
      await page.keyboard.press('Tab')
      const first = await page.evaluate(() => document.activeElement?.className ?? '')
      if (first !== 'skip') problems.add(`${name}: the first thing that Tab reaches does not skip to the content`)
      await page.close()
    }
  }
} finally {
  await browser.close()
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.size === 0 ? 0 : 1
