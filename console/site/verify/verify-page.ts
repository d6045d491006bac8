import { operationNames } from '../../../src/contract/operation-names.ts'
import { type FrameOptions, framePage } from '../frame/frame.ts'
import { codeBlock, html, type Markup } from '../frame/html.ts'
import { verifyWords } from './words.ts'

/** Takes a pasted receipt, without a sign-in; page.js checks it. Without a script it says how to verify a file. */
export function verifyPage(options: FrameOptions): string {
  const { language, facts } = options
  const words = verifyWords[language]
  return framePage(options, {
    title: words.title,
    description: words.lead,
    path: '/verify',
    style: 'style',
    modules: ['/verify/page.js'],
    data: { words: JSON.stringify(scriptWords(options)) },
    content: html`<main id="content" tabindex="-1">
<section class="hero"><h1>${words.title}</h1><p class="lead">${words.lead}</p></section>
<p class="note-box unscripted-only">${words.withoutScript}</p>
<div class="checker">${form(words)}<section id="outcome" aria-live="polite" data-signed="${words.signed}" hidden></section></div>
${meaning(words)}
${offline(words, facts.origin)}
<section class="scripted-only" aria-labelledby="seen.title"><h2 id="seen.title">${words.seen}</h2><p>${words.seenLead}</p><ul id="seen"></ul>
<form id="month" class="for-users row"><label for="of">${words.statement}</label> <input id="of" name="month" type="month" required> <button type="submit" class="button plain">${words.download}</button></form></section>
</main>`,
  })
}

/** What page.js says. */
function scriptWords({ language }: FrameOptions) {
  const { said, seenNone, seenFirst } = verifyWords[language]
  const operations = Object.entries(operationNames).map(([id, names]) => [id, names[language]])
  return { ...said, operations: Object.fromEntries(operations), none: seenNone, onlyFirst: seenFirst }
}

type Words = (typeof verifyWords)['en']

const form = (
  words: Words,
): Markup => html`<form id="form" class="scripted-only"><label for="receipt">${words.receipt}</label>
<textarea id="receipt" rows="9" spellcheck="false" autocomplete="off" required aria-describedby="receipt.hint"></textarea>
<p class="hint" id="receipt.hint">${words.receiptHint}</p>
<p class="buttons"><button type="submit" class="button">${words.verify}</button> <label class="button plain" for="file">${words.file}</label><input id="file" class="hidden" type="file" accept=".jws,.txt,application/jose,text/plain"> <button type="button" id="sample" class="button plain">${words.sample}</button></p></form>`

function meaning(words: Words): Markup {
  const { steps } = words.said
  const rows = Object.entries(words.rows).map(
    ([name, [proves, limits]]) =>
      html`<tr><th scope="row">${steps[name as keyof typeof steps]}</th><td data-title="${words.provesTitle}">${proves}</td><td data-title="${words.limitsTitle}">${limits}</td></tr>`,
  )
  return html`<section aria-labelledby="meaning"><h2 id="meaning">${words.meaning}</h2><div class="table meaning" tabindex="0" role="group" aria-label="${words.meaning}"><table><thead><tr><th scope="col">${words.check}</th><th scope="col">${words.provesTitle}</th><th scope="col">${words.limitsTitle}</th></tr></thead><tbody>${rows}</tbody></table></div></section>`
}

function offline(words: Words, origin: string): Markup {
  const commands = `curl -O ${origin}/verify/verify.mjs
curl -o jwks.json ${origin}/.well-known/jwks.json
node verify.mjs receipt.jws --keys jwks.json --since old.checkpoint`
  return html`<section aria-labelledby="offline"><h2 id="offline">${words.offline}</h2><ol class="notes">${words.offlineLead.map((line) => html`<li>${line}</li>`)}</ol>
<div class="panel">${codeBlock(commands, words.offline)}</div>
<p class="downloads"><a href="/verify/verify.mjs" download="verify.mjs">${words.program}</a> <a href="/.well-known/jwks.json" download="jwks.json">${words.keys}</a> <a href="/transparency/checkpoint" download="current.checkpoint">${words.checkpointFile}</a></p></section>`
}
