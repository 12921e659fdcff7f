// How Marp makes the decks: our theme with its fonts, pictures inside the page and none from elsewhere, and fenced CUDA
// coloured as C++. SLIDES_TOOLS is the folder where the packages of package.json are installed.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

// The faces the theme names, inside the page: a deck looks alike, and fits its slides, whatever fonts a machine has.
const faces = [
  { family: 'Arimo', weight: 400, style: 'normal', file: 'arimo/files/arimo-latin-400-normal.woff2' },
  { family: 'Arimo', weight: 400, style: 'italic', file: 'arimo/files/arimo-latin-400-italic.woff2' },
  { family: 'Arimo', weight: 700, style: 'normal', file: 'arimo/files/arimo-latin-700-normal.woff2' },
  { family: 'DejaVu Mono', weight: 400, style: 'normal', file: 'dejavu-mono/files/dejavu-mono-latin-400-normal.woff2' },
  { family: 'DejaVu Mono', weight: 700, style: 'normal', file: 'dejavu-mono/files/dejavu-mono-latin-700-normal.woff2' },
]

const fontFace = ({ family, weight, style, file }) => {
  const bytes = readFileSync(join(process.env.SLIDES_TOOLS, 'node_modules/@fontsource', file))
  const source = `url(data:font/woff2;base64,${bytes.toString('base64')}) format('woff2')`
  return `@font-face { font-family: '${family}'; font-weight: ${weight}; font-style: ${style}; src: ${source}; }`
}

const theme = readFileSync(fileURLToPath(new URL('./theme/cudalabs.css', import.meta.url)), 'utf8')

export default {
  options: {
    emoji: { unicode: false },
    math: false,
  },
  engine: ({ marp }) => {
    marp.themeSet.add([theme, ...faces.map(fontFace)].join('\n'))
    const valid = marp.markdown.validateLink
    marp.markdown.validateLink = (link) => link.startsWith('data:image/svg+xml;base64,') || valid(link)
    const highlight = marp.highlighter.bind(marp)
    marp.highlighter = (code, language, attributes) =>
      highlight(code, language === 'cuda' ? 'cpp' : language, attributes)
    return marp
  },
}
