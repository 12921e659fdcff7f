// Pages through a built deck in a headless browser and prints what is wrong with it, a line each; exits 1 if anything is.
//
//   node inspect_deck.mjs TOOLS CHROMIUM SLIDES DECK.html [DECK.pdf]
//
// TOOLS has the node_modules, SLIDES is how many slides the source has. Judged are: the number of slides (and pages), that each
// comes up and shows something new, that text and pictures stay inside the slide's padding, that pictures load, that all
// text is large and strong enough for the back of a room, and that nothing is fetched from outside the file.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { inflateSync } from 'node:zlib'

const kMinText = 20 // px on a slide of 1280 x 720; code too
const kMinFigureText = 16
const kMinContrast = 4.5 // WCAG 2.2, 1.4.3

const [tools, chromium, slidesText, html, pdf] = process.argv.slice(2)
if (!html) {
  console.error('usage: node inspect_deck.mjs TOOLS CHROMIUM SLIDES DECK.html [DECK.pdf]')
  process.exit(2)
}
const slides = Number(slidesText)
const puppeteer = createRequire(path.resolve(tools, 'package.json'))('puppeteer-core')

/** Problems of the slide that is up, found in the page. Lengths are those of a slide of 1280 x 720, whatever the window. */
function problemsOfSlide(index, limits) {
  const problems = new Set()
  const slide = document.querySelectorAll('svg[data-marpit-svg]')[index]
  const section = slide.querySelector('section:not([data-marpit-advanced-background="background"])')
  const box = section.getBoundingClientRect()
  if (!section.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || box.width === 0) {
    return ['does not show']
  }
  const scale = box.width / 1280
  const style = getComputedStyle(section)
  const inner = {
    left: box.left + parseFloat(style.paddingLeft) * scale,
    top: box.top + parseFloat(style.paddingTop) * scale,
    right: box.right - parseFloat(style.paddingRight) * scale,
    bottom: box.bottom - parseFloat(style.paddingBottom) * scale,
  }
  if (section.scrollHeight > section.clientHeight || section.scrollWidth > section.clientWidth) {
    problems.add(`is overfull: ${section.scrollWidth} x ${section.scrollHeight}`)
  }
  const inside = (rects, what) => {
    const over = Math.max(
      ...rects.flatMap((rect) => [
        inner.left - rect.left,
        inner.top - rect.top,
        rect.right - inner.right,
        rect.bottom - inner.bottom,
      ]),
    )
    if (over > scale) problems.add(`${what} leaves its box by ${Math.round(over / scale)} px`)
  }

  const channels = (color) => (color.match(/[\d.]+/g) ?? []).map(Number)
  const luminance = ([r, g, b]) => {
    const linear = [r, g, b].map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4))
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
  }
  const background = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const color = channels(getComputedStyle(at).backgroundColor)
      if (color.length === 3 || color[3] === 1) return color
    }
    return [255, 255, 255]
  }
  const texts = document.createTreeWalker(section, NodeFilter.SHOW_TEXT)
  let letters = 0
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = node.data.trim()
    if (text === '' || ['STYLE', 'SCRIPT'].includes(node.parentElement.tagName)) continue
    letters += text.length
    const range = document.createRange()
    range.selectNodeContents(node)
    const said = `\`${text.split('\n')[0].slice(0, 40)}\``
    inside([...range.getClientRects()], said)
    const { fontSize, color } = getComputedStyle(node.parentElement)
    if (parseFloat(fontSize) < limits.text) problems.add(`${said} is ${fontSize} small`)
    const [light, dark] = [luminance(channels(color)), luminance(background(node.parentElement))].sort((a, b) => b - a)
    const contrast = (light + 0.05) / (dark + 0.05)
    if (contrast < limits.contrast) problems.add(`${said} has a contrast of ${contrast.toFixed(1)}`)
  }

  const pictures = [...section.querySelectorAll('img')]
  for (const picture of pictures) {
    const name = `picture \`${picture.alt}\``
    if (!picture.complete || picture.naturalWidth === 0) {
      problems.add(`${name} does not load`)
      continue
    }
    const rect = picture.getBoundingClientRect()
    inside([rect], name)
    if (!picture.src.startsWith('data:image/svg+xml;base64,')) continue
    const svg = new DOMParser().parseFromString(atob(picture.src.split(',')[1]), 'image/svg+xml').documentElement
    const shrunk = rect.width / scale / svg.viewBox.baseVal.width
    const sizes = [...svg.querySelectorAll('text')].map((text) => parseFloat(text.getAttribute('font-size')) * shrunk)
    const smallest = Math.min(...sizes)
    if (smallest < limits.figureText) problems.add(`${name} has text of ${smallest.toFixed(1)} px`)
  }
  if (letters === 0 && pictures.length === 0) problems.add('is empty')
  return [...problems]
}

/** Pages of a PDF: its page objects, which may lie in compressed streams. */
function pagesOf(file) {
  const bytes = readFileSync(file)
  const text = bytes.toString('latin1')
  const page = /\/Type\s*\/Page\b/g
  let pages = (text.match(page) ?? []).length
  for (const { index, 0: found } of text.matchAll(/\/ObjStm[^]*?stream\r?\n/g)) {
    const start = index + found.length
    const stream = bytes.subarray(start, text.indexOf('endstream', start))
    pages += (inflateSync(stream).toString('latin1').match(page) ?? []).length
  }
  return pages
}

const problems = []
// A browser's sandbox needs an ordinary user; what is shown here is our own file.
const browser = await puppeteer.launch({
  executablePath: chromium,
  args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
})
try {
  const page = await browser.newPage()
  await page.setViewport({ width: 1280, height: 720 })
  const address = pathToFileURL(path.resolve(html)).href
  page.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith('data:') && url.split('#')[0] !== address) problems.push(`deck: asks for ${url}`)
  })
  page.on('pageerror', (error) => problems.push(`deck: ${error.message}`))
  await page.goto(address, { waitUntil: 'load' })
  await page.evaluate(() => document.fonts.ready)
  const found = await page.$$eval('svg[data-marpit-svg]', (all) => all.length)
  if (found !== slides) problems.push(`deck: has ${found} slides, its source ${slides}`)
  const seen = new Map()
  for (let i = 0; i < found; ++i) {
    await page.evaluate((number) => (location.hash = `#${number}`), i + 1)
    await page
      .waitForFunction(
        (index) =>
          document.querySelectorAll('svg[data-marpit-svg]')[index].classList.contains('bespoke-marp-active'),
        { timeout: 5000 },
        i,
      )
      .catch(() => problems.push(`slide ${i + 1}: does not come up`))
    const limits = { text: kMinText, figureText: kMinFigureText, contrast: kMinContrast }
    for (const problem of await page.evaluate(problemsOfSlide, i, limits)) problems.push(`slide ${i + 1}: ${problem}`)
    const picture = createHash('sha256').update(await page.screenshot()).digest('hex')
    if (seen.has(picture)) problems.push(`slide ${i + 1}: looks like slide ${seen.get(picture)}`)
    seen.set(picture, i + 1)
  }
} finally {
  await browser.close()
}
if (pdf) {
  const pages = pagesOf(pdf)
  if (pages !== slides) problems.push(`PDF: has ${pages} pages, its source ${slides} slides`)
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length === 0 ? 0 : 1
