import { escapeHtml, html, Markup } from './html.ts'

/** The little of Markdown that our own texts use: paragraphs, lists in lists, and code. */
export function markdown(text: string): Markup[] {
  return text.split(/\n{2,}/).map(block)
}

/** Code between backticks; everything else is escaped. */
export function inline(text: string): Markup {
  return new Markup(escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>'))
}

function block(text: string): Markup {
  const lines = text.split('\n')
  if (lines.every((line) => /^ *- /.test(line))) return html`<ul>${entries(lines)}</ul>`
  if (lines.every((line) => /^\d+\. /.test(line))) return html`<ol>${entries(lines)}</ol>`
  return html`<p>${inline(lines.join(' '))}</p>`
}

/** Lines that are indented belong to the entry above them. */
function entries(lines: readonly string[]): Markup[] {
  const starts = [...lines.keys()].filter((i) => !lines[i]!.startsWith(' '))
  return starts.map((start, i) => {
    const below = lines.slice(start + 1, starts[i + 1]).map((line) => line.trim())
    const text = inline(lines[start]!.replace(/^(- |\d+\. )/, ''))
    return html`<li>${text}${below.length > 0 && html`<ul>${entries(below)}</ul>`}</li>`
  })
}
