import { type FoundSource, foundById } from '../../../operator-kit/found.ts'
import type { Reader } from '../../../storage/engine.ts'
import { integer, orNull, rowMapper, text } from '../../../storage/row-mapper.ts'

export const foundJobIds: readonly FoundSource[] = [
  foundById('job', 'media_jobs', {
    ...{ kind: 'job', id: 'job_id', label: 'status' },
    page: { at: '/charges', id: 'charge_id' },
  }),
]

const tried = rowMapper('media_jobs', {
  jobId: text(),
  status: text(),
  provider: text(),
  providerJobId: orNull(text('provider_id')),
  errorCode: orNull(text()),
  polls: integer(),
  misses: integer(),
  silences: integer(),
  contentTries: integer(),
  finishedAt: orNull(integer()),
})

/** The job of a charge, with its tries at the provider. */
export const jobOfCharge = (tx: Reader, chargeId: string) => tried.get(tx, 'WHERE charge_id = $1', [chargeId])
