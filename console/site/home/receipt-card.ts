import { operationNames } from '../../../src/contract/operation-names.ts'
import { type BillableOperation, fenOfCredits, prices, yuanOfFen } from '../../../src/contract/prices.ts'
import { html, type Markup } from '../frame/html.ts'
import { sample } from '../verify/sample.ts'
import { verifyWords } from '../verify/words.ts'
import type { HomeOptions } from './options.ts'

interface SampleReceipt {
  readonly operation: BillableOperation
  readonly credits: number
  readonly chargeId: string
  readonly issuedAt: string
  readonly checkpoint: string
  readonly entries: readonly { readonly entry: { readonly seq: number }; readonly index: number }[]
}

const said = JSON.parse(Buffer.from(sample.jws.split('.')[1]!, 'base64url').toString()) as SampleReceipt

/** A receipt with its checks, which home.js runs in the page. */
export function receiptCard({ words, language, prefix }: HomeOptions): Markup {
  const { operation, price, result, call, time } = words.receiptFacts
  const facts = [
    [operation, operationNames[said.operation][language]],
    [price, words.credits(said.credits, yuanOfFen(fenOfCredits(said.credits)))],
    [result, words.settled],
    [time, `${said.issuedAt.slice(0, 16).replace('T', ' ')} UTC`],
    [call, said.chargeId],
  ] as const
  const { steps, sampleHistory, ...rest } = verifyWords[language].said
  const proves = { ...rest.proves, consistency: sampleHistory }
  const checks = (Object.keys(steps) as (keyof typeof steps)[]).map(
    (name) =>
      html`<li data-step="${name}"><b>${steps[name]}</b> ${proves[name].replace('{{size}}', String(sizeOf(said)))}</li>`,
  )
  return html`<section id="receipt" class="receipt" aria-labelledby="receipt.title" data-checking="${words.receiptChecking}" data-checked="${words.receiptChecked}" data-failed="${words.receiptFailed}"><h2 id="receipt.title">${words.receipt}</h2>
<dl>${facts.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<ol class="checks">${checks}</ol>
<p class="verdict scripted-only"><span class="status" role="status"></span><button type="button" class="button plain" hidden>${words.receiptCheck}</button></p>
<p class="hint">${words.receiptFrom} <a href="${prefix}/verify/${language}">${words.receiptOwn}</a></p></section>`
}

const sizeOf = ({ checkpoint }: SampleReceipt): number => Number(checkpoint.split('\n')[1])

/** The line from a call to the ledger and the tree, with the numbers of that receipt. */
export function trailSection({ words, language }: HomeOptions): Markup {
  const listed = (numbers: readonly number[]) => numbers.join(language === 'zh' ? '、' : ' and ')
  const steps = words.trailSteps({
    path: prices[said.operation].path,
    price: words.credits(said.credits, yuanOfFen(fenOfCredits(said.credits))),
    entries: listed(said.entries.map(({ entry }) => entry.seq)),
    leaves: listed(said.entries.map(({ index }) => index)),
    size: sizeOf(said),
  })
  return html`<section aria-labelledby="trail"><h2 id="trail">${words.trail}</h2><p>${words.trailLead}</p>
<ol class="trail">${steps.map(([name, text]) => html`<li><b>${name}</b><span>${text}</span></li>`)}</ol>
<p id="own-log" class="hint" data-words="${words.ownLog}" hidden></p></section>`
}
