// How Marp makes the decks: our theme, pictures inside the page and none from elsewhere, and fenced CUDA coloured as C++.
import { fileURLToPath } from 'node:url'

export default {
  themeSet: [fileURLToPath(new URL('./theme/cudalabs.css', import.meta.url))],
  options: {
    emoji: { unicode: false },
    math: false,
  },
  engine: ({ marp }) => {
    const valid = marp.markdown.validateLink
    marp.markdown.validateLink = (link) => link.startsWith('data:image/svg+xml;base64,') || valid(link)
    const highlight = marp.highlighter.bind(marp)
    marp.highlighter = (code, language, attributes) =>
      highlight(code, language === 'cuda' ? 'cpp' : language, attributes)
    return marp
  },
}
