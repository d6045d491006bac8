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

export const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (character) => entities[character]!)
const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
