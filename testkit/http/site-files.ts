import type { SiteFiles } from '../../src/documents/site.ts'

/** For tests that render a public page without the build. */
export const siteFiles: SiteFiles = {
  inlined: {
    style: '/* style */',
    script: '/* script */',
    referenceStyle: '/* style */',
    referenceScript: '/* script */',
  },
  homeScript: 'home.js',
  mark: 'mark.svg',
}

/** Those that the policy of a page allows, which names them by their hashes. */
export const inlinedElements = /<style>\/\* style \*\/<\/style>\n<script>\/\* script \*\/<\/script>/
