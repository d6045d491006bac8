import { consoleWords } from '../../../../src/contract/error-codes/row.ts'
import { errors as rows } from '../../../../src/contract/errors.ts'

// Evaluated at build time (build/evaluated.ts): the bundle has these sentences, not the table.
export const errors = consoleWords(rows, 'zh')
