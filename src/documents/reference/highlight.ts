import { escapeHtml, Markup } from './html.ts'

/** Marks comments, names, strings and literals of JSON, shell, JavaScript and Python; nothing finer is needed. */
export function highlight(code: string): Markup {
  const marked = code.split(token).map((part, i) => (i % 2 === 0 ? escapeHtml(part) : mark(part)))
  return new Markup(marked.join(''))
}

const token =
  /(^[ \t]*(?:#|\/\/).*$|"(?:\\.|[^"\\\n])*"(?:[ \t]*:)?|'(?:\\.|[^'\\\n])*'|(?<=[\s[(])(?:\d+(?:\.\d+)?|true|false|null|True|False|None)(?=[\s,\])}]|$))/m

function mark(part: string): string {
  const name = /^(".*")([ \t]*:)$/.exec(part)
  if (name) return `<i class="n">${escapeHtml(name[1]!)}</i>${name[2]}`
  const kind = /^[ \t]*(#|\/\/)/.test(part) ? 'c' : /^["']/.test(part) ? 's' : 'l'
  return `<i class="${kind}">${escapeHtml(part)}</i>`
}
