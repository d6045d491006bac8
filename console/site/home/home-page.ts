import { operationNames } from '../../../src/contract/operation-names.ts'
import { billableOperations, fenOfCredits, prices, yuanOfFen } from '../../../src/contract/prices.ts'
import type { ServiceFacts } from '../../../src/documents/facts.ts'
import { framePage } from '../frame/frame.ts'
import { codeBlock, html, type Markup } from '../frame/html.ts'
import { frameWords } from '../frame/words.ts'
import { samplesOf } from '../reference/samples.ts'
import type { HomeOptions } from './options.ts'
import { receiptCard, trailSection } from './receipt-card.ts'
import type { HomeWords } from './words.ts'

/** The public page: what this is, a receipt that proves it, a call, how it is charged, prices, models, shops and limits. */
export function homePage(options: HomeOptions): string {
  const { words, prefix, language } = options
  return pageOf(options, {
    title: frameWords[language].product,
    path: '',
    content: html`<div class="claim"><section class="hero"><h1>${words.sentence}</h1><p class="lead">${words.lead}</p>
<p class="buttons"><a class="button for-guests" href="${prefix}/console/register">${words.register}</a> <a class="button for-users" href="${prefix}/console">${words.console}</a> <a class="button plain" href="${prefix}/docs/${language}">${words.docs}</a></p></section>
${receiptCard(options)}</div>
${trailSection(options)}
<div class="pair">${callSection(options)}${chargingSection(words)}</div>
<div class="pair"><section aria-labelledby="prices"><h2 id="prices">${words.prices}</h2><p>${words.pricesLead}</p>${priceTable(options)}
<p class="more"><a href="${prefix}/pricing/${language}">${words.allPrices}</a></p></section>
<div>${modelSection(options)}${shopSection(options)}${limitSection(options)}</div></div>`,
  })
}

/** The public price list. */
export function pricingPage(options: HomeOptions): string {
  const { words, prefix, language } = options
  return pageOf(options, {
    title: words.prices,
    path: '/pricing',
    content: html`<section class="hero"><h1>${words.prices}</h1><p class="lead">${words.pricesLead}</p></section>
<section>${priceTable(options)}<ul class="notes">${words.notes.map((note) => html`<li>${note}</li>`)}</ul>
<p class="buttons"><a class="button" href="${prefix}/console/register">${words.register}</a> <a class="button plain" href="${prefix}/docs/${language}">${words.docs}</a></p></section>
${chargingSection(words)}${modelSection(options)}${shopSection(options)}${limitSection(options)}`,
  })
}

interface PageParts {
  readonly title: string
  readonly path: '' | '/pricing'
  readonly content: Markup
}

function pageOf(options: HomeOptions, { title, path, content }: PageParts): string {
  const { words, prefix, files } = options
  return framePage(options, {
    title,
    description: words.sentence,
    path,
    style: 'style',
    modules: [`${prefix}/docs/assets/${files.homeScript}`],
    data: { copy: words.copy, copied: words.copied },
    content: html`<main id="content" tabindex="-1">
${content}
</main>`,
  })
}

/** Chosen by radio buttons, so that it needs no script. */
function callSection(options: HomeOptions): Markup {
  const { words } = options
  const samples = Object.entries(homeSamples(options))
  return html`<section aria-labelledby="call"><h2 id="call">${words.call}</h2><p>${words.callLead}</p>
<div class="panel samples" role="radiogroup" aria-labelledby="call">${samples.map(
    ([name], i) =>
      html`<input type="radio" name="sample" id="sample-${i}"${i === 0 && html` checked`}><label for="sample-${i}">${name}</label>`,
  )}${samples.map(([name, text]) => codeBlock(text, name, 'code'))}</div></section>`
}

/** Three calls that run as they stand; to a shop where there is no model. */
export function homeSamples({
  operations,
  facts,
  words,
}: Pick<HomeOptions, 'operations' | 'facts' | 'words'>): Record<string, string> {
  const [model] = facts.modelProviders.flatMap(({ models }) => models)
  const operation = operations.find(({ id }) => id === (model ? 'model.chat' : 'shopping.search'))!
  const request = model ? { ...operation, requestExample: { prompt: words.prompt } } : operation
  const { curl, javascript, python } = samplesOf(request, facts.origin)
  const third = model ? { OpenAI: openAiSample(facts, model, words.prompt) } : { Python: python }
  return { curl, 'Node.js': javascript, ...third }
}

const openAiSample = ({ origin }: ServiceFacts, model: string, prompt: string) => `// npm install openai
import OpenAI from 'openai'

const client = new OpenAI({ apiKey: process.env.GATEWAY_API_KEY, baseURL: '${origin}/v1' })
const completion = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: ${JSON.stringify(prompt)} }],
})
console.log(completion.choices[0].message.content)`

function chargingSection({ charging, chargingLead, steps }: HomeWords): Markup {
  const [first, ...results] = steps
  const box = ([name, text]: readonly [string, string]) => html`<li><b>${name}</b><span>${text}</span></li>`
  return html`<section aria-labelledby="charging"><h2 id="charging">${charging}</h2><p>${chargingLead}</p>
<div class="flow"><ol class="first">${box(first!)}</ol><span class="arrow" aria-hidden="true"></span><ul>${results.map(box)}</ul></div></section>`
}

function priceTable({ facts, words, language }: HomeOptions): Markup {
  const price = (credits: number) => words.credits(credits, yuanOfFen(fenOfCredits(credits)))
  const rows = billableOperations.map((id) => {
    return html`<tr><td>${operationNames[id][language]}</td><td><code>${prices[id].path}</code></td><td class="number">${price(prices[id].credits)}</td></tr>`
  })
  const video = html`<tr><td>${operationNames['media.video'][language]}</td><td><code>/v1/media/jobs</code></td><td class="number">${words.perSecond(price(facts.mediaCreditsPerSecond))}</td></tr>`
  return html`<div class="table prices" tabindex="0" role="group" aria-label="${words.prices}"><table><thead><tr><th scope="col">${words.operation}</th><th scope="col">API</th><th scope="col">${words.price}</th></tr></thead><tbody>${[...rows, video]}</tbody></table></div>`
}

function modelSection({ facts, words }: HomeOptions): Markup {
  const rows = facts.modelProviders
    .filter(({ models }) => models.length > 0)
    .map(({ name, models }) => html`<tr><td><code>${name}</code></td><td>${namesOf(models)}</td></tr>`)
  const table = html`<div class="table" tabindex="0" role="group" aria-label="${words.models}"><table><thead><tr><th scope="col">${words.provider}</th><th scope="col">${words.modelNames}</th></tr></thead><tbody>${rows}</tbody></table></div>`
  return html`<section aria-labelledby="models"><h2 id="models">${words.models}</h2><p>${rows.length > 0 ? words.modelsLead : words.noModels}</p>${rows.length > 0 && table}</section>`
}

const namesOf = (names: readonly string[]): Markup[] =>
  names.map((name, place) => html`${place > 0 && ' · '}<code>${name}</code>`)

function shopSection({ facts: { shops }, words }: HomeOptions): Markup | false {
  if (shops.length === 0) return false
  return html`<section aria-labelledby="shops"><h2 id="shops">${words.shops}</h2><p>${namesOf(shops)}</p></section>`
}

function limitSection({ facts, words }: HomeOptions): Markup {
  const calls = facts.rateLimits.find(({ name }) => name === 'callsPerKey')!
  const prompts = facts.modelProviders.flatMap(({ maxPromptChars }) => maxPromptChars ?? [])
  const lines = words.limitLines({
    ...{ calls: calls.max, windowSeconds: calls.windowSeconds },
    promptChars: prompts.length > 0 ? Math.max(...prompts) : null,
    ...{ bodyBytes: facts.bodyLimitBytes, activeKeys: facts.activeKeysLimit },
  })
  return html`<section aria-labelledby="limits"><h2 id="limits">${words.limits}</h2><ul class="notes">${lines.map((line) => html`<li>${line}</li>`)}</ul></section>`
}
