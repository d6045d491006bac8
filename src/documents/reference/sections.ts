import { errors } from '../../contract/errors.ts'
import { codesIn } from '../../contract/operations/access.ts'
import { fenOfCredits, yuanOfFen } from '../../contract/prices.ts'
import { homesOf } from './fields.ts'
import { groupTitle, type OperationGroup } from './groups.ts'
import { html, type Markup } from './html.ts'
import { inline, markdown } from './markdown.ts'
import { operationArticle } from './operation-article.ts'
import type { ReferenceOptions } from './options.ts'

export function operationGroup(group: OperationGroup, options: ReferenceOptions): Markup {
  const { words, prefix, facts } = options
  const context = { words, prefix, origin: facts.origin, homes: homesOf(options.operations) }
  return html`<section id="${group.id}" aria-labelledby="${group.id}.title"><h2 id="${group.id}.title">${groupTitle(group, words)}</h2>
${group.tags.map(({ tag, operations }) => {
  const { title, text } = words.tag(tag)
  return html`<h3 id="${tag}">${title}</h3><p>${inline(text)}</p>${operations.map((operation) => operationArticle(operation, context))}`
})}</section>`
}

export function guideSection({ operations, facts, words }: ReferenceOptions): Markup {
  const sections = words.guide({ operations, origin: facts.origin })
  return html`<section id="guide" class="prose" aria-labelledby="guide.title"><h2 id="guide.title">${words.page.guideTitle}</h2>${sections.map(
    ({ title, text }, i) => html`<h3 id="guide-${i + 1}">${title}</h3>${markdown(text)}`,
  )}</section>`
}

export function priceSection({ operations, words }: ReferenceOptions): Markup {
  const { page } = words
  const rows = operations.flatMap(({ billing, ...operation }) =>
    billing
      ? html`<tr><td><a href="#${operation.id}">${words.operation(operation).summary}</a></td><td><code>${operation.path}</code></td><td><code>${billing.scope}</code></td><td class="number">${page.credits(billing.credits, yuanOfFen(fenOfCredits(billing.credits)))}</td></tr>`
      : [],
  )
  return html`<section id="prices" class="prose" aria-labelledby="prices.title"><h2 id="prices.title">${page.prices}</h2><p>${page.pricesLead}</p>
${table([page.operation, 'API', page.scope, page.price], rows, page.prices)}</section>`
}

export function factSection({ facts, words }: ReferenceOptions): Markup {
  const { page } = words
  const models = facts.modelProviders.map(
    ({ name, models, maxPromptChars }) =>
      html`<tr><td><code>${name}</code></td><td>${models.join(', ') || page.disabled}</td><td class="number">${maxPromptChars ?? '–'}</td></tr>`,
  )
  return html`<section id="limits" class="prose" aria-labelledby="limits.title"><h2 id="limits.title">${page.facts}</h2>${markdown(words.facts(facts).join('\n'))}</section>
<section id="models" class="prose" aria-labelledby="models.title"><h2 id="models.title">${page.models}</h2><p>${inline(page.modelsLead(facts.defaultModelProvider))}</p>${table([page.provider, page.modelNames, page.longestPrompt], models, page.models)}</section>`
}

export function errorSection({ operations, words }: ReferenceOptions): Markup {
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
