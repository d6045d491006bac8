import { Refusal } from '../../../../contract/errors.ts'
import { isPersonal } from '../../../../contract/personal-text.ts'
import { ok, viewRoute } from '../../../../http/endpoint.ts'
import { defineFeature } from '../../../../ops/feature.ts'
import type { Accounts } from '../../../identity/accounts/feature.ts'
import type { Reports } from '../feature.ts'
import { type SearchParameters, searchOperations } from './contract.ts'
import { createSearch } from './search.ts'

interface SearchDeps extends Pick<Reports, 'reports'> {
  readonly accounts: Accounts
}

export const searchFeature = defineFeature({
  name: 'search',
  consoleOperations: searchOperations,
  build({ engine, operation }, { accounts: { guards }, reports }: SearchDeps) {
    const search = createSearch({ engine, reports })
    return {
      routes: [
        viewRoute<SearchParameters>({ operation, guards }, 'console.search', async ({ session, query: { q } }) => {
          if (q !== undefined && isPersonal(q))
            throw new Refusal('REQUEST_TARGET_INVALID', {
              explain: 'It names a contact or an API key: addresses are logged.',
            })
          return ok({ items: q === undefined ? [] : await search(session.projectId, q) })
        }),
      ],
    }
  },
})
