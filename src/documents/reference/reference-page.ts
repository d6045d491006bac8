import { product } from '../guide.ts'
import { groupsOf } from './groups.ts'
import { html } from './html.ts'
import { contentsOf } from './navigation.ts'
import type { ReferenceOptions } from './options.ts'
import { quickStart } from './quick-start.ts'
import { errorSection, factSection, guideSection, operationGroup, priceSection } from './sections.ts'

/** The reference for people, as one page that needs no script to be read. */
export function referencePage(options: ReferenceOptions): string {
  const { words, other, prefix, assets, facts } = options
  const { page, lang } = words
  const groups = groupsOf(options.operations)
  const content = html`<!doctype html>
<html lang="${lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${page.lead}">
<title>${product.title}: ${page.title}</title>
<link rel="stylesheet" href="${prefix}/docs/assets/${assets.style}">
<script src="${prefix}/docs/assets/${assets.script}"></script>
<link rel="icon" type="image/svg+xml" href="${prefix}/docs/assets/${assets.mark}">
<link rel="alternate" hreflang="${other.lang}" href="${prefix}/docs/${other.path}">
</head>
<body data-copied="${page.copied}">
<a class="skip" href="#content">${page.skip}</a>
<header class="top">
<a class="brand" href="#content"><img src="${prefix}/docs/assets/${assets.mark}" alt="" width="24" height="24">${product.title}</a>
<button type="button" class="menu" popovertarget="contents">${page.menu}</button>
<p class="links"><a href="${prefix}/console">${page.console}</a> <a id="language" href="${prefix}/docs/${other.path}" lang="${other.lang}" hreflang="${other.lang}">${page.otherLanguage}</a></p>
</header>
<div class="frame">
${contentsOf({ words, groups, facts, operations: options.operations })}
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
</div>
</body>
</html>
`
  return content.text
}
