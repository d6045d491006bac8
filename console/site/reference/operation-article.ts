import { type ErrorCode, errors } from '../../../src/contract/errors.ts'
import { requestHeadersOf, responseHeaders } from '../../../src/contract/headers.ts'
import type { Operation, ResponseRow } from '../../../src/contract/operation.ts'
import { errorsOf } from '../../../src/contract/operations/access.ts'
import { fenOfCredits, yuanOfFen } from '../../../src/contract/prices.ts'
import type { PublishedSchema } from '../../../src/documents/published-schema.ts'
import { html, inline, type Markup, markdown } from '../frame/html.ts'
import { fieldList, type Homes } from './fields.ts'
import { codePanel, samplePanel } from './panels.ts'
import { samplesOf } from './samples.ts'
import type { Words } from './words/words.ts'

export interface ArticleContext {
  readonly origin: string
  /** Before the paths of the console and the docs: empty, or /gateway in the local preview. */
  readonly prefix: string
  readonly words: Words
  readonly homes: Homes
}

/** Everything about one operation: text and fields on one side, what is sent and received on the other. */
export function operationArticle(operation: Operation, context: ArticleContext): Markup {
  const { origin, words, homes } = context
  const { id, method, path, request, responses } = operation
  const { summary, description } = words.operation(operation)
  return html`<article id="${id}" class="operation" aria-labelledby="${id}.title">
<header><h4 id="${id}.title"><a href="#${id}">${summary}</a></h4>
<p class="route"><span class="method ${method.toLowerCase()}">${method}</span> <code>${path}</code></p>${badges(operation, context)}</header>
<div class="text">${markdown(description)}
<h5>${words.page.accessTitle}</h5><p>${inline(words.access[operation.access])}</p>
${pathParameters(operation, words)}${headers(operation, origin, words)}
${request && html`<h5>${words.page.body}</h5>${fieldList(request as PublishedSchema, { words, homes, isRequest: true })}`}
${responses.map((row) => responseText(row, words, homes))}
${errorLists(operation, words)}</div>
<div class="code">${samplePanel(words.page.request, samplesOf(operation, origin), words)}${responses.map(
    ({ status, example }) => codePanel(words.page.response(status), textOf(example), words),
  )}</div>
</article>`
}

function badges({ id, billing, deprecated }: Operation, { words: { page }, prefix }: ArticleContext): Markup {
  const price = billing && page.credits(billing.credits, yuanOfFen(fenOfCredits(billing.credits)))
  return html`<p class="badges"><span class="badge">${price ?? page.free}</span>${
    billing && html`<span class="badge">${page.scope} <code>${billing.scope}</code></span>`
  }${deprecated && html`<span class="badge warning">${page.deprecated}</span>`}<code class="id">${id}</code>${
    billing && html`<a href="${prefix}/console/playground/${id}">${page.tryIt}</a>`
  }</p>`
}

function pathParameters({ pathParameters = {} }: Operation, { page, limits }: Words): Markup | false {
  const rows = Object.entries(pathParameters)
  if (rows.length === 0) return false
  return html`<h5>${page.pathParameters}</h5><ul class="fields">${rows.map(
    ([name, { pattern, code }]) =>
      html`<li><p><code class="name">${name}</code> <span class="type">string</span> <span class="required">${page.required}</span></p>
<p class="note"><span class="limits">${inline(limits.pattern(pattern))}</span> <span class="otherwise">${page.otherwise} <a href="#${code}"><code>${code}</code></a></span></p></li>`,
  )}</ul>`
}

function headers(operation: Operation, origin: string, words: Words): Markup | false {
  const rows = requestHeadersOf(operation, origin)
  if (rows.length === 0) return false
  return html`<h5>${words.page.headers}</h5><ul class="fields">${rows.map(
    ({ name, description, required }) =>
      html`<li><p><code class="name">${name}</code> ${required && html`<span class="required">${words.page.required}</span>`}</p><p class="note">${inline(words.sentence(description))}</p></li>`,
  )}</ul>`
}

function responseText(row: ResponseRow, words: Words, homes: Homes): Markup {
  const { status, description, schema, headers = [] } = row
  const isObject = (schema as PublishedSchema).properties !== undefined
  return html`<h5>${words.page.response(status)}</h5><p>${inline(words.sentence(description))}</p>${
    headers.length > 0 &&
    html`<p class="note">${words.page.responseHeaders} ${headers.map(
      (name) => html`<code>${name}</code> ${inline(words.sentence(responseHeaders[name].description))} `,
    )}</p>`
  }${isObject && fieldList(schema as PublishedSchema, { words, homes, isRequest: false })}`
}

/** The codes of this operation with their meaning; those that its kind of access brings only by name. */
function errorLists({ access, errors: codes }: Operation, words: Words): Markup {
  const common = new Set(errorsOf(access))
  const own = codes.filter((code) => !common.has(code))
  return html`${own.length > 0 && html`<h5>${words.page.ownErrors}</h5><ul class="fields">${byStatus(own).map((code) => ownError(code, words))}</ul>`}
<details class="common"><summary>${words.page.commonErrors}</summary><ul class="codes">${byStatus([...common]).map(
    (code) => html`<li>${errors[code].status} <a href="#${code}"><code>${code}</code></a></li>`,
  )}</ul></details>`
}

const ownError = (code: ErrorCode, words: Words) =>
  html`<li><p>${errors[code].status} <a href="#${code}"><code>${code}</code></a></p><p class="note">${inline(words.error(code).meaning)}</p></li>`

const byStatus = (codes: readonly ErrorCode[]) => codes.toSorted((a, b) => errors[a].status - errors[b].status)

const textOf = (example: unknown) => (typeof example === 'string' ? example : JSON.stringify(example, null, 2))
