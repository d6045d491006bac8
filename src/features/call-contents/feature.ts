import { Refusal } from '../../contract/errors.ts'
import { ok, pathParameter, view } from '../../http/endpoint.ts'
import { defineFeature } from '../../ops/feature.ts'
import { inRounds } from '../../ops/maintenance.ts'
import type { Accounts } from '../accounts/feature.ts'
import { contentContext, createContents } from './contents.ts'
import { contentOperations } from './contract.ts'

/** The requests and responses of calls whose key keeps them, for the payer to look at. */
export const callContentsFeature = defineFeature({
  name: 'call-contents',
  consoleOperations: contentOperations,
  sealed: () => [{ name: 'callContents', context: contentContext, digest: null }],
  build({ engine, keyring, clock, operation }, { accounts: { guards } }: { readonly accounts: Accounts }) {
    const contents = createContents({ engine, keyring, clock })
    const read = operation('console.usage.content')
    return {
      sealContent: contents.seal,
      routes: [
        view({ operation, guards }, read.id, async ({ session, call }) => {
          const found = await contents.find(session.projectId, pathParameter(read, call, 'chargeId'))
          if (!found) throw new Refusal('NOT_FOUND')
          return ok(found)
        }),
      ],
      tasks: [inRounds('prune-contents', contents.prune)],
    }
  },
})

export type CallContentsParts = ReturnType<typeof callContentsFeature.build>
