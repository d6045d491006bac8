import type { PageOptions, SitePages } from '../../src/documents/site.ts'
import { homePage, pricingPage } from './home/home-page.ts'
import { homeWords } from './home/words.ts'
import { referencePage } from './reference/page.ts'
import { otherThan, wordsOf } from './reference/words/words.ts'

/** The public pages. The build makes one module of this, which the server loads (src/documents/site.ts). */
export const pages: SitePages = {
  home: (options) => homePage(homeOptions(options)),
  pricing: (options) => pricingPage(homeOptions(options)),
  reference: ({ language, files: { style, script, mark }, ...options }) =>
    referencePage({
      ...options,
      assets: { style, script, mark },
      words: wordsOf[language],
      other: wordsOf[otherThan(language)],
    }),
}

const homeOptions = ({ language, files: { homeStyle, homeScript, mark }, ...options }: PageOptions) => ({
  ...options,
  assets: { style: homeStyle, script: homeScript, mark },
  words: homeWords[language],
  other: homeWords[otherThan(language)],
})
