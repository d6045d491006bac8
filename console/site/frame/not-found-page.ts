import { type FrameOptions, framePage } from './frame.ts'
import { html } from './html.ts'
import { frameWords } from './words.ts'

/** What a browser sees where there is nothing. */
export function notFoundPage(options: FrameOptions): string {
  const { notFound, notFoundLead, home } = frameWords[options.language]
  return framePage(options, {
    title: notFound,
    description: notFoundLead,
    path: null,
    style: 'style',
    content: html`<main id="content" tabindex="-1"><section class="hero"><h1>${notFound}</h1><p class="lead">${notFoundLead}</p>
<p class="buttons"><a class="button" href="${options.prefix}/${options.language}">${home}</a></p></section></main>`,
  })
}
