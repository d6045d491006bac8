import { operatorErrors } from '../../../src/contract/error-codes/operators.ts'
import { consoleWords } from '../../../src/contract/error-codes/row.ts'

export const errorWords = { en: consoleWords(operatorErrors, 'en'), zh: consoleWords(operatorErrors, 'zh') }
