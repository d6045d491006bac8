import { errors } from '../../../src/contract/errors.ts'
import { type Operation, type Tag, tags } from '../../../src/contract/operation.ts'
import { codesIn } from '../../../src/contract/operations/access.ts'
import { fenOfCredits, yuanOfFen } from '../../../src/contract/prices.ts'
import type { ServiceFacts } from '../../../src/documents/facts.ts'
import { product } from '../../../src/documents/guide.ts'
import type { PublishedSchema } from '../../../src/documents/published-schema.ts'
import { type FrameOptions, framePage } from '../frame/frame.ts'
import { html, inline, type Markup, markdown } from '../frame/html.ts'
import { homesOf } from './fields.ts'
import { operationArticle } from './operation-article.ts'
import { codePanel, samplePanel } from './panels.ts'
import { samplesOf } from './samples.ts'
import type { Words } from './words/words.ts'

export interface ReferenceOptions extends FrameOptions {
  readonly operations: readonly Operation[]
  readonly words: Words
}

interface OperationGroup {
  readonly id: string
  readonly needsKey: boolean
  readonly tags: readonly { readonly tag: Tag; readonly operations: readonly Operation[] }[]
}

/** First what a program calls, then what belongs to the account. */
function groupsOf(operations: readonly Operation[]): OperationGroup[] {
  const byTag = Map.groupBy(operations, ({ tag }) => tag)
  const rows = (Object.keys(tags) as Tag[])
    .filter((tag) => byTag.has(tag))
    .map((tag) => ({ tag, operations: byTag.get(tag)! }))
  const needsKey = (row: (typeof rows)[number]) => row.operations.some(({ access }) => access === 'key')
  return [
    { id: 'with-key', needsKey: true, tags: rows.filter(needsKey) },
    { id: 'account', needsKey: false, tags: rows.filter((row) => !needsKey(row)) },
  ]
}

const groupTitle = ({ needsKey }: OperationGroup, { page }: Words) =>
  needsKey ? page.operationsWithKey : page.operationsWithSession

interface ContentsOptions {
  readonly words: Words
  readonly groups: readonly OperationGroup[]
  readonly facts: ServiceFacts
  readonly operations: readonly Operation[]
}

/** The contents: a column where there is room, else a popover, which a browser opens and closes without a script. */
function contentsOf({ words, groups, facts, operations }: ContentsOptions): Markup {
  const { page } = words
  const guide = words.guide({ operations, ...facts })
  return html`<nav id="contents" popover aria-label="${page.contents}">
<p class="close"><button type="button" popovertarget="contents" popovertargetaction="hide">${page.closeMenu}</button></p>
<p class="filter"><label><span class="hidden">${page.filter}</span><input type="search" id="filter" placeholder="${page.filter}" autocomplete="off" spellcheck="false"></label><output id="found" for="filter" data-one="${page.found(1)}" data-many="${page.found(2)}"></output></p>
<ul><li><a href="#quick-start">${words.quickStart.title}</a></li><li><a href="#prices">${page.prices}</a></li></ul>
<h2>${page.guideTitle}</h2><ul>${guide.map(({ title }, i) => html`<li><a href="#guide-${i + 1}">${title}</a></li>`)}</ul>
${groups.map(
  (group) =>
    html`<h2>${groupTitle(group, words)}</h2><ul>${group.tags.flatMap((row) => row.operations).map((operation) => entry(operation, words))}</ul>`,
)}
<h2>${page.reference}</h2><ul><li><a href="#limits">${page.facts}</a></li><li><a href="#models">${page.models}</a></li><li data-words="${codesIn(operations).join(' ')}"><a href="#errors">${page.errors}</a></li></ul>
</nav>`
}

/** Found by its name, path, fields and codes, not only by the text of its link. */
function entry(operation: Operation, words: Words): Markup {
  const { id, method, path, request } = operation
  const fields = Object.keys((request as PublishedSchema | undefined)?.properties ?? {})
  return html`<li data-words="${[id, path, operation.summary, ...fields].join(' ')}"><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span><span>${words.operation(operation).summary}</span></a></li>`
}

const firstCall = 'model.chat'

/** Four steps to a first call, each with what to paste and what comes back. */
function quickStart({ operations, facts, words, prefix }: ReferenceOptions): Markup {
  const { quickStart: said } = words
  const operation = { ...operations.find(({ id }) => id === firstCall)!, requestExample: { prompt: said.prompt } }
  const result = operation.responses[0]!.example as { data: object }
  const sample = { ...result, data: { ...result.data, output: said.output } }
  const open = (path: string) =>
    html`<p><a class="button" href="${prefix}/console${path}">${words.page.openConsole}</a></p>`
  return html`<section id="quick-start" aria-labelledby="quick-start.title"><h2 id="quick-start.title">${said.title}</h2><p>${said.lead}</p>
<ol class="steps">
${step(said.accountTitle, said.account, open(''))}
${step(said.keyTitle, said.key, codePanel('shell', 'export GATEWAY_API_KEY=gk_live_...', words))}
${step(said.callTitle, said.call, samplePanel(words.page.request, samplesOf(operation, facts.origin), words))}
${step(said.responseTitle, said.response, codePanel(words.page.response(200), JSON.stringify(sample, null, 2), words))}
</ol></section>`
}

const step = (title: string, text: string, aside: Markup) =>
  html`<li><div class="text"><h3>${title}</h3><p>${inline(text)}</p></div><div class="code">${aside}</div></li>`

function operationGroup(group: OperationGroup, options: ReferenceOptions): Markup {
  const { words, prefix, facts } = options
  const context = { words, prefix, origin: facts.origin, homes: homesOf(options.operations) }
  return html`<section id="${group.id}" aria-labelledby="${group.id}.title"><h2 id="${group.id}.title">${groupTitle(group, words)}</h2>
${group.tags.map(({ tag, operations }) => {
  const { title, text } = words.tag(tag)
  return html`<h3 id="${tag}">${title}</h3><p>${inline(text)}</p>${operations.map((operation) => operationArticle(operation, context))}`
})}</section>`
}

function guideSection({ operations, facts, words }: ReferenceOptions): Markup {
  const sections = words.guide({ operations, ...facts })
  return html`<section id="guide" class="prose" aria-labelledby="guide.title"><h2 id="guide.title">${words.page.guideTitle}</h2>${sections.map(
    ({ title, text }, i) => html`<h3 id="guide-${i + 1}">${title}</h3>${markdown(text)}`,
  )}</section>`
}

function priceSection({ operations, facts, words }: ReferenceOptions): Markup {
  const { page } = words
  const rows = operations.flatMap(({ billing, ...operation }) =>
    billing
      ? html`<tr><td><a href="#${operation.id}">${words.operation(operation).summary}</a></td><td><code>${operation.path}</code></td><td><code>${billing.scope}</code></td><td class="number">${page.credits(billing.credits, yuanOfFen(fenOfCredits(billing.credits)))}</td></tr>`
      : [],
  )
  const ofSecond = page.credits(facts.mediaCreditsPerSecond, yuanOfFen(fenOfCredits(facts.mediaCreditsPerSecond)))
  rows.push(
    html`<tr><td>${page.video}</td><td><code>/v1/media/jobs</code></td><td><code>media:run</code></td><td class="number">${page.perSecond(ofSecond)}</td></tr>`,
  )
  return html`<section id="prices" class="prose" aria-labelledby="prices.title"><h2 id="prices.title">${page.prices}</h2><p>${page.pricesLead}</p>
${table([page.operation, 'API', page.scope, page.price], rows, page.prices)}</section>`
}

function factSection({ facts, words }: ReferenceOptions): Markup {
  const { page } = words
  const models = facts.modelProviders.map(
    ({ name, models, maxPromptChars, maxOutputTokens }) =>
      html`<tr><td><code>${name}</code></td><td>${models.join(', ') || page.disabled}</td><td class="number">${maxPromptChars ?? '–'}</td><td class="number">${maxOutputTokens ?? '–'}</td></tr>`,
  )
  return html`<section id="limits" class="prose" aria-labelledby="limits.title"><h2 id="limits.title">${page.facts}</h2>${markdown(words.facts(facts).join('\n'))}</section>
<section id="models" class="prose" aria-labelledby="models.title"><h2 id="models.title">${page.models}</h2><p>${inline(page.modelsLead(facts.defaultModelProvider))}</p>${table([page.provider, page.modelNames, page.longestPrompt, page.longestOutput], models, page.models)}</section>`
}

function errorSection({ operations, words }: ReferenceOptions): Markup {
  const { page } = words
  const rows = codesIn(operations)
    .toSorted((a, b) => errors[a].status - errors[b].status)
    .map((code) => {
      const { meaning, retry } = words.error(code)
      return html`<tr id="${code}"><td class="number">${errors[code].status}</td><td><a href="#${code}"><code>${code}</code></a></td><td>${inline(meaning)}</td><td>${inline(retry)}</td></tr>`
    })
  return html`<section id="errors" class="prose" aria-labelledby="errors.title"><h2 id="errors.title">${page.errors}</h2><p>${inline(page.errorsLead)}</p>
${table([page.status, page.code, page.meaning, page.whatToDo], rows, page.errors)}</section>`
}

/** Wide tables scroll by keyboard too. */
function table(head: readonly string[], rows: readonly Markup[], label: string): Markup {
  return html`<div class="table" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${head.map((text) => html`<th scope="col">${text}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>`
}

/** The reference for people, as one page that needs no script to be read. */
export function referencePage(options: ReferenceOptions): string {
  const { words, prefix, facts, operations } = options
  const { page } = words
  const groups = groupsOf(operations)
  return framePage(options, {
    title: page.title,
    description: page.lead,
    path: '/docs',
    style: 'referenceStyle',
    script: 'referenceScript',
    data: { copied: page.copied },
    content: html`<p class="menu-bar"><button type="button" class="menu" popovertarget="contents">${page.menu}</button></p>
<div class="frame">
${contentsOf({ words, groups, facts, operations })}
<main id="content" tabindex="-1">
<section class="intro"><h1>${page.title}</h1><p class="lead">${page.lead}</p>
<p class="note">${page.baseUrl} <code>${facts.origin}</code> · ${page.version(product.contractVersion)} · ${page.forPrograms}: <a href="${prefix}/openapi.json">OpenAPI 3.1</a>, <a href="${prefix}/llms.txt">llms.txt</a></p></section>
${quickStart(options)}
${guideSection(options)}
${priceSection(options)}
${groups.map((group) => operationGroup(group, options))}
${factSection(options)}
${errorSection(options)}
</main>
</div>`,
  })
}
