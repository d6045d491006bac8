import { Type } from 'typebox'
import { hundredYearsDays, integer, section } from './schema-parts.ts'

export const chargesSection = section(
  {
    resultDays: integer(
      30,
      'How long a stored response can be replayed. The Idempotency-Key never charges again, even afterwards, unless retentionDays is set.',
      hundredYearsDays,
    ),
    retentionDays: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      minimum: 35,
      maximum: hundredYearsDays.maximum,
      default: null,
      description:
        'Age at which ended charges and ledger entries are moved to archive files, not below resultDays; null keeps them all in the store. An Idempotency-Key that was archived is a new one: docs/archives.md.',
    }),
  },
  'Charges.',
)
