import { Refusal } from '../../../contract/errors.ts'
import { ok, pathParameter, viewRoute } from '../../../http/endpoint.ts'
import { defineFeature } from '../../../ops/feature.ts'
import { inRounds } from '../../../ops/maintenance.ts'
import type { Accounts } from '../../identity/accounts/feature.ts'
import { contentContext, createContentLog } from './content-log.ts'
import { contentOperations } from './contract.ts'

/** The requests and responses of calls whose key keeps them, for the payer to look at. */
export const contentLogFeature = defineFeature({
  name: 'content-log',
  consoleOperations: contentOperations,
  sealed: () => [{ name: 'callContents', table: 'charge_contents', id: 'charge_id', context: contentContext }],
  build({ engine, keyring, clock, operation }, { accounts: { guards } }: { readonly accounts: Accounts }) {
    const contents = createContentLog({ engine, keyring, clock })
    const read = operation('console.usage.content')
    return {
      sealContent: contents.seal,
      routes: [
        viewRoute({ operation, guards }, read.id, async ({ session, call }) => {
          const found = await contents.find(session.projectId, pathParameter(read, call, 'chargeId'))
          if (!found) throw new Refusal('NOT_FOUND')
          return ok(found)
        }),
      ],
      tasks: [inRounds('prune-contents', contents.prune)],
    }
  },
})

export type ContentLogParts = ReturnType<typeof contentLogFeature.build>
