import { Refusal } from '../../../contract/errors.ts'
import { isPersonal } from '../../../contract/personal-text.ts'
import { ok } from '../../../http/endpoint.ts'
import { operatorHandler } from '../../../operator-kit/endpoint.ts'
import { defineFeature } from '../../../ops/feature.ts'
import type { ArchiveParts } from '../../records/archives/feature.ts'
import type { Reports } from '../../records/reports/feature.ts'
import { showCharge } from './charge.ts'
import { type FindRequest, type LookupParameters, lookupOperations } from './contract.ts'
import { findAnything } from './search.ts'

/** What customers quote: found by id, phone or email; and one charge with all that belongs to it. */
export const lookupFeature = defineFeature({
  name: 'lookup',
  operatorOperations: lookupOperations,
  build(
    { engine, keyring },
    { reports, archivedReads }: Pick<Reports, 'reports'> & Pick<ArchiveParts, 'archivedReads'>,
  ) {
    const searching = { engine, archives: archivedReads, readKeyring: async () => keyring }
    return {
      operatorHandlers: [
        operatorHandler<unknown, LookupParameters>('operator.search', async ({ query: { q } }) => {
          if (q !== undefined && isPersonal(q))
            throw new Refusal('REQUEST_TARGET_INVALID', {
              explain: 'Send it with POST /api/search: addresses are logged.',
            })
          return ok({ items: q === undefined ? [] : await findAnything(searching, q) })
        }),
        operatorHandler<FindRequest>('operator.find', async ({ body: { q } }) =>
          ok({ items: await findAnything(searching, q) }),
        ),
        operatorHandler('operator.charges.show', async ({ at }) =>
          ok(await showCharge({ engine, reports }, at('chargeId'))),
        ),
      ],
    }
  },
})
