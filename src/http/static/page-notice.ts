/** Puts a notice above everything else on a page. The styles of each page have `page-notice`. */
export const withNotice = (page: string, notice: string | null): string =>
  notice === null
    ? page
    : page.replace(/<body[^>]*>/, (body) => `${body}\n<p class="page-notice" role="note">${notice}</p>`)
