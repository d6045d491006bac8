import { languageTags } from '../../../src/documents/guide.ts'
import type { InlinedFiles, PageOptions } from '../../../src/documents/site.ts'
import { html, Markup } from './html.ts'
import { frameWords, otherThan } from './words.ts'

export type FrameOptions = Pick<PageOptions, 'facts' | 'language' | 'prefix' | 'files'>

export interface FrameParts {
  readonly title: string
  readonly description: string
  /** Where the page is, without its language: '' for the home page. Null if it has no address of its own. */
  readonly path: string | null
  readonly style: keyof InlinedFiles
  /** Runs before the first paint; begins with that of the frame, which is used alone if this is left out. */
  readonly script?: keyof InlinedFiles
  /** A feed of the page, which readers discover. */
  readonly feed?: { readonly title: string; readonly href: string }
  /** Paths of scripts that load after the page. */
  readonly modules?: readonly string[]
  /** For scripts of the page, as `data-*` of its body. */
  readonly data?: Readonly<Record<string, string>>
  /** With its own `main id="content"`. */
  readonly content: Markup
}

/** A whole public page: every one has this header and this footer. */
export function framePage(options: FrameOptions, parts: FrameParts): string {
  const { language, prefix, files } = options
  const words = frameWords[language]
  const { title, description, path, style, script, feed, modules = [], data = {} } = parts
  const other = otherThan(language)
  const asset = (name: string) => `${prefix}/docs/assets/${name}`
  return html`<!doctype html>
<html lang="${languageTags[language]}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="description" content="${description}">
<title>${title === words.product ? title : `${title} · ${words.product}`}</title>
<style>${new Markup(files.inlined[style])}</style>
<script>${new Markup(files.inlined[script ?? 'script'])}</script>
${modules.map((source) => html`<script type="module" src="${source}"></script>`)}
<link rel="icon" type="image/svg+xml" href="${asset(files.mark)}">
${path !== null && html`<link rel="alternate" hreflang="${languageTags[other]}" href="${prefix}${path}/${other}">`}
${feed && html`<link rel="alternate" type="application/rss+xml" title="${feed.title}" href="${feed.href}">`}
</head>
<body${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}>
<a class="skip" href="#content">${words.skip}</a>
${header(options, parts)}
${parts.content}
${footer(options)}
</body>
</html>
`.text
}

/** Both ways in are there; frame.js shows the one that fits before the first paint. */
function header({ language, prefix, files }: FrameOptions, { path }: FrameParts): Markup {
  const words = frameWords[language]
  const other = otherThan(language)
  return html`<header class="top"><a class="brand" href="${prefix}/${language}"><img src="${prefix}/docs/assets/${files.mark}" alt="" width="24" height="24"><span>${words.product}</span></a>
<nav class="links" aria-label="${words.site}">${placesOf({ language, prefix }).map(
    ({ name, href, at }) => html`<a href="${href}"${at === path && html` aria-current="page"`}>${name}</a> `,
  )}</nav>
<p class="ways"><a id="language" href="${prefix}${path ?? ''}/${other}" lang="${languageTags[other]}" hreflang="${languageTags[other]}">${words.otherLanguage}</a> <a class="way for-guests" href="${prefix}/console/sign-in">${words.signIn}</a><a class="way for-users" href="${prefix}/console">${words.console}</a></p></header>`
}

function placesOf({ language, prefix }: Pick<FrameOptions, 'language' | 'prefix'>) {
  const { prices, docs, verify } = frameWords[language]
  const place = (at: string, name: string) => ({ at, name, href: `${prefix}${at}/${language}` })
  return [place('/pricing', prices), place('/docs', docs), place('/verify', verify)]
}

/** Settings that are absent are not shown. */
function footer({ language, prefix, facts: { site } }: FrameOptions): Markup {
  const words = frameWords[language]
  const links = [
    ...placesOf({ language, prefix }),
    { name: words.status, href: `${prefix}/status/${language}` },
    ...(site.termsUrl ? [{ name: words.terms, href: site.termsUrl }] : []),
    ...(site.privacyUrl ? [{ name: words.privacy, href: site.privacyUrl }] : []),
  ]
  const filings = [
    ...(site.icp
      ? [html`<span>${words.icp} <a href="https://beian.miit.gov.cn/" rel="noopener">${site.icp}</a></span> `]
      : []),
    ...site.filings.map(({ model, number }) => html`<span>${words.filing(model)} ${number}</span> `),
  ]
  const owner = [
    site.name && html`<span>${words.operator} <b>${site.name}</b></span> `,
    site.contact && html`<span>${words.contact} ${contactOf(site.contact)}</span> `,
  ].filter(Boolean)
  return html`<footer class="foot"><p class="places">${links.map(({ name, href }) => html`<a href="${href}">${name}</a> `)}</p>
${owner.length > 0 && html`<p class="owner">${owner}</p>`}${filings.length > 0 && html`<p class="filings">${filings}</p>`}</footer>`
}

function contactOf(contact: string): Markup {
  if (/^https?:\/\/[^\s]+$/.test(contact)) return html`<a href="${contact}" rel="noopener">${contact}</a>`
  if (/^[^\s@/:?]+@[^\s@/:?]+\.[^\s@/:?]+$/.test(contact)) return html`<a href="mailto:${contact}">${contact}</a>`
  return html`${contact}`
}
