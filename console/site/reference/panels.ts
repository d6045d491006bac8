import { codeBlock, html, type Markup } from '../frame/html.ts'
import { type SampleLanguage, type Samples, sampleLanguages } from './samples.ts'
import type { Words } from './words/words.ts'

/** A request in every language; the script lets the reader choose one, without it all are shown. */
export function samplePanel(title: string, samples: Samples, { page }: Words): Markup {
  const names = Object.keys(sampleLanguages) as SampleLanguage[]
  return html`<div class="panel"><div class="bar"><p>${title}</p><div class="choice" role="group" aria-label="${page.sampleLanguage}">${names.map(
    (name) => html`<button type="button" data-sample="${name}">${sampleLanguages[name]}</button>`,
  )}</div>${copyButton(page.copy)}</div>${names.map((name) => codeBlock(samples[name], sampleLanguages[name], `sample ${name}`))}</div>`
}

export function codePanel(title: string, text: string, { page }: Words): Markup {
  return html`<div class="panel"><div class="bar"><p>${title}</p>${copyButton(page.copy)}</div>${codeBlock(text, title)}</div>`
}

const copyButton = (label: string) => html`<button type="button" class="copy">${label}</button>`
