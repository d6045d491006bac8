/** Text that is already HTML. Everything else that goes into a template is escaped. */
export class Markup {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

type HtmlValue = Markup | string | number | false | null | undefined | readonly HtmlValue[]

/** A template of HTML; what is put in is escaped, unless it was made here too. */
export function html(strings: TemplateStringsArray, ...values: readonly HtmlValue[]): Markup {
  return new Markup(strings.reduce((text, part, i) => text + textOf(values[i - 1]) + part))
}

function textOf(value: HtmlValue): string {
  if (value instanceof Markup) return value.text
  if (value === false || value === null || value === undefined) return ''
  return typeof value === 'object' ? value.map(textOf).join('') : escapeHtml(String(value))
}

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!)
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

/** Marks comments, names, strings and literals of JSON, shell, JavaScript and Python; nothing finer is needed. */
function highlight(code: string): Markup {
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
  if (lines.every((line) => line.startsWith('| '))) return tableOf(lines)
  if (lines.every((line) => /^\d+\. /.test(line))) return html`<ol>${entries(lines)}</ol>`
  return html`<p>${inline(lines.join(' '))}</p>`
}

/** A head, a line of dashes, and rows. Wide tables scroll by keyboard too. */
function tableOf([head = '', , ...rows]: readonly string[]): Markup {
  const cells = (line: string) =>
    line
      .slice(1, -1)
      .split(' | ')
      .map((cell) => inline(cell.trim()))
  const [, ...titles] = cells(head)
  return html`<div class="table" tabindex="0" role="group" aria-label="${titles.map(({ text }) => text).join(', ')}"><table><thead><tr><td></td>${titles.map((title) => html`<th scope="col">${title}</th>`)}</tr></thead><tbody>${rows.map(
    (row) => {
      const [first, ...others] = cells(row)
      return html`<tr><th scope="row">${first!}</th>${others.map((cell, i) => html`<td data-title="${titles[i]}">${cell}</td>`)}</tr>`
    },
  )}</tbody></table></div>`
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

/** Wide code scrolls by keyboard too, so it takes the focus and has a name. */
export function codeBlock(text: string, label: string, kind = ''): Markup {
  return html`<pre class="${kind}" tabindex="0" role="group" aria-label="${label}"><code>${highlight(text)}</code></pre>`
}
