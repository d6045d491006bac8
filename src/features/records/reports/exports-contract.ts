import { Type } from '../../../base/schema.ts'
import { Choice } from '../../../contract/field.ts'
import type { ResponseRow } from '../../../contract/operation.ts'
import { view } from '../../../contract/operations/access.ts'
import { cutNotice, cutNoticeInChinese, exportRowsLimit } from '../../../contract/paging.ts'
import { chargeParameters, entryParameters } from './contract.ts'
import { fileLanguages, ledgerColumns, usageColumns } from './file-columns.ts'

const inFile =
  'UTF-8 with a byte order mark, times in Asia/Shanghai, newest first. A cell that a spreadsheet could take for a formula begins with an apostrophe.'
const cut = `At most ${exportRowsLimit} rows, and with a filter no more than a bounded part of the ledger: the last line of a file that is cut begins with \`${cutNotice}\`, in Chinese with \`${cutNoticeInChinese}\`; ask for fewer days. The file is sent in chunks, at the speed of its reader. A project reads one file at a time; one more is answered 429.`

const language = Choice(fileLanguages, {
  default: 'en',
  description: 'The language of the headings, states and reasons. In English they are the names that the API has.',
})

export const exportOperations = [
  view({
    id: 'console.usage.csv',
    tag: 'Usage',
    path: '/v1/console/usage.csv',
    summary: 'Download the billable calls as CSV',
    description: `${inFile}\n\n${cut}`,
    queryParameters: { ...chargeParameters, language },
    response: csv('The charges that pass the filters.', usageColumns),
    ownErrors: ['RATE_LIMITED'],
  }),
  view({
    id: 'console.ledger.csv',
    tag: 'Ledger',
    path: '/v1/console/ledger.csv',
    summary: 'Download the ledger as CSV',
    description: `${inFile}\n\n${cut}`,
    queryParameters: { ...entryParameters, language },
    response: csv('The entries that pass the filters.', ledgerColumns),
    ownErrors: ['RATE_LIMITED'],
  }),
]

function csv(description: string, columns: readonly string[]): ResponseRow {
  return {
    status: 200,
    description: `${description} Columns: ${columns.join(', ')}.`,
    contentType: 'text/csv',
    schema: Type.String({ minLength: 1 }),
    example: columns.join(','),
  }
}
