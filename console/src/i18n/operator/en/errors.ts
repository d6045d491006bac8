import { operatorErrors } from '../../../../../src/contract/error-codes/operators.ts'
import { consoleWords } from '../../../../../src/contract/error-codes/row.ts'

export const operatorErrorsEn = consoleWords(operatorErrors, 'en')
