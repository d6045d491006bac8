import { mediaOperations } from '../contract/media/operations.ts'
import { openapiDocument } from './openapi.ts'

export interface MediaFacts {
  readonly origin: string
  readonly mediaProviders: readonly string[]
  readonly mediaCreditsPerSecond: number
}

/** The document of the media jobs, which are no part of the public operations. */
export const mediaDocument = ({ origin, mediaProviders, mediaCreditsPerSecond }: MediaFacts) =>
  openapiDocument({
    operations: mediaOperations(mediaProviders, mediaCreditsPerSecond),
    origin,
    about: {
      title: 'API Relay Gateway: media jobs',
      summary: 'Paid work that takes minutes: create a job, read it, fetch its clip.',
      description: [
        'The other operations are in `/openapi.json`; errors, limits and keys work as described there. A key needs the scope `media:run`.',
        `A clip costs ${mediaCreditsPerSecond} credits for each of its seconds. The price is reserved when the job is created. It is spent only when the job is \`completed\` and its content can be fetched; a job that is \`failed\` or \`cancelled\` costs nothing.`,
        'Read the job until its status is `completed`, `failed`, `cancelled` or `unknown`; these are final. `unknown` means that nobody can tell how the job ended: the credits stay reserved until an operator decides, and `resolution` then shows the decision.',
      ].join('\n\n'),
    },
  })
