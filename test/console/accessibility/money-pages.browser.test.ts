import { checkConsolePages } from '../../../testkit/browser/check-console-pages.ts'
import { moneyPages } from '../../../testkit/browser/registered-pages.ts'

checkConsolePages('the pages about money have no accessibility violations and fit every screen', moneyPages)
