import type { SiteFiles } from '../../src/documents/site.ts'

/** For tests that render a public page without the build. */
export const siteFiles: SiteFiles = {
  style: 'page.css',
  script: 'frame.js',
  homeScript: 'home.js',
  referenceStyle: 'reference.css',
  referenceScript: 'reference.js',
  mark: 'mark.svg',
}
