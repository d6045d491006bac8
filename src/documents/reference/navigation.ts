import type { Operation } from '../../contract/operation.ts'
import { codesIn } from '../../contract/operations/access.ts'
import type { PublishedSchema } from '../published-schema.ts'
import type { ServiceFacts } from '../service-facts.ts'
import { groupTitle, type OperationGroup } from './groups.ts'
import { html, type Markup } from './html.ts'
import type { Words } from './words/words.ts'

interface ContentsOptions {
  readonly words: Words
  readonly groups: readonly OperationGroup[]
  readonly facts: ServiceFacts
  readonly operations: readonly Operation[]
}

/** The contents: a column where there is room, else a popover, which a browser opens and closes without a script. */
export function contentsOf({ words, groups, facts, operations }: ContentsOptions): Markup {
  const { page } = words
  const guide = words.guide({ operations, origin: facts.origin })
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

/** Found by its name, path, fields and codes, whatever its link shows. */
function entry(operation: Operation, words: Words): Markup {
  const { id, method, path, request } = operation
  const fields = Object.keys((request as PublishedSchema | undefined)?.properties ?? {})
  return html`<li data-words="${[id, path, operation.summary, ...fields].join(' ')}"><a href="#${id}"><span class="method ${method.toLowerCase()}">${method}</span><span>${words.operation(operation).summary}</span></a></li>`
}
