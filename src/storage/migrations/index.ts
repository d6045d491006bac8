import { foundation } from './0001-foundation.ts'
import { instances } from './0002-instances.ts'
import { usageDays } from './0003-usage-days.ts'
import { chargesByLedger } from './0004-charges-by-ledger.ts'
import { checkedReferences } from './0005-checked-references.ts'
import { ledgerChain } from './0006-ledger-chain.ts'
import { sureGuesses } from './0007-sure-guesses.ts'
import { referencesOfAProject } from './0008-references-of-a-project.ts'
import { rowTypesOfABatch } from './0009-row-types.ts'
import { chargesInPlace } from './0010-charges-in-place.ts'
import { usageByDay } from './0011-usage-by-day.ts'
import type { Migration } from './migration.ts'

/** Every step of the schema, in order. A step that has been released is never changed. */
export const migrations: readonly Migration[] = [
  foundation,
  instances,
  usageDays,
  chargesByLedger,
  checkedReferences,
  ledgerChain,
  sureGuesses,
  referencesOfAProject,
  rowTypesOfABatch,
  chargesInPlace,
  usageByDay,
]
