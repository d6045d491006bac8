import { type Static, Type } from 'typebox'
import { Choice, DateTime, named } from '../field.ts'
import { chargedOperations } from '../prices.ts'
import { orderIdPattern } from '../schemas/orders.ts'
import { entryKinds } from './entry-kinds.ts'
import { type DayParameters, dayParameters, Page, type PageParameters, pageParameters } from './paging.ts'

/** One movement of credits, with the balance after it. Entries are only ever added. */
export const LedgerEntry = named('LedgerEntry', {
  seq: Type.Integer({ minimum: 1, description: 'Counts the entries of the project without a gap.' }),
  kind: Choice(entryKinds, {
    description:
      'credit: bought. reserve: available to reserved. settle: reserved is paid. release: reserved to available. review: stays reserved. grant: given by the operator. withdraw: taken back by the operator.',
  }),
  amount: Type.Integer({ minimum: 1 }),
  available: Type.Integer({ minimum: 0, description: 'Available credits after this entry.' }),
  reserved: Type.Integer({ minimum: 0, description: 'Reserved credits after this entry.' }),
  chargeId: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  operation: Type.Union([Choice(chargedOperations), Type.Null()]),
  creditLotId: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
  orderId: Type.Union([Type.String({ pattern: orderIdPattern }), Type.Null()]),
  reference: Type.Union([Type.String({ minLength: 1 }), Type.Null()], {
    description: 'What the operator granted or withdrew credits for, such as the number of a bank transfer.',
  }),
  enteredAt: DateTime(),
})

export const LedgerPage = Page('LedgerPage', LedgerEntry)

/** What the ledger and its file can be narrowed by. */
export const entryParameters = { kind: Choice(entryKinds), ...dayParameters }

export const ledgerParameters = { ...pageParameters('^[1-9][0-9]{0,14}$'), ...entryParameters }

export type LedgerEntry = Static<typeof LedgerEntry>
export type LedgerPage = Static<typeof LedgerPage>

export interface EntryParameters extends DayParameters {
  readonly kind?: LedgerEntry['kind']
}
export interface LedgerParameters extends PageParameters, EntryParameters {}
