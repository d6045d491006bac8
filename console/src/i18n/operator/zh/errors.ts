import { operatorErrors } from '../../../../../src/contract/error-codes/operators.ts'
import { consoleWords } from '../../../../../src/contract/error-codes/row.ts'

export const operatorErrorsZh = consoleWords(operatorErrors, 'zh')
