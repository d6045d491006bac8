import { codePanel, samplePanel } from './code-panel.ts'
import { html, type Markup } from './html.ts'
import { inline } from './markdown.ts'
import type { ReferenceOptions } from './options.ts'
import { samplesOf } from './samples.ts'
import type { QuickStartStep } from './words/words.ts'

const firstCall = 'model.chat'

/** Four steps to a first call, each with what to paste and what comes back. */
export function quickStart({ operations, facts, words, prefix }: ReferenceOptions): Markup {
  const { title, lead, steps, prompt, output } = words.quickStart
  const operation = { ...operations.find(({ id }) => id === firstCall)!, requestExample: { prompt } }
  const result = operation.responses[0]!.example as { data: object }
  const answered = { ...result, data: { ...result.data, output } }
  const [account, key, call, response] = steps
  const open = (path: string) =>
    html`<p><a class="button" href="${prefix}/console${path}">${words.page.openConsole}</a></p>`
  return html`<section id="quick-start" aria-labelledby="quick-start.title"><h2 id="quick-start.title">${title}</h2><p>${lead}</p>
<ol class="steps">
${step(account, open(''))}
${step(key, codePanel('shell', 'export GATEWAY_API_KEY=gk_live_...', words))}
${step(call, samplePanel(words.page.request, samplesOf(operation, facts.origin), words))}
${step(response, codePanel(words.page.response(200), JSON.stringify(answered, null, 2), words))}
</ol></section>`
}

const step = ({ title, text }: QuickStartStep, aside: Markup) =>
  html`<li><div class="text"><h3>${title}</h3><p>${inline(text)}</p></div><div class="code">${aside}</div></li>`
