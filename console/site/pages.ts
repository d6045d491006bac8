import type { PageOptions, SitePages } from '../../src/documents/site.ts'
import { notFoundPage } from './frame/not-found-page.ts'
import { homePage, pricingPage } from './home/home-page.ts'
import { homeWords } from './home/words.ts'
import { referencePage } from './reference/page.ts'
import { wordsOf } from './reference/words/words.ts'
import { statusPage } from './status/status-page.ts'
import { verifyPage } from './verify/verify-page.ts'

/** The public pages. The build makes one module of this, which the server loads (src/documents/site.ts). */
export const pages: SitePages = {
  home: (options) => homePage(homeOptions(options)),
  pricing: (options) => pricingPage(homeOptions(options)),
  reference: (options) => referencePage({ ...options, words: wordsOf[options.language] }),
  verify: verifyPage,
  status: statusPage,
  notFound: notFoundPage,
}

const homeOptions = (options: PageOptions) => ({ ...options, words: homeWords[options.language] })
