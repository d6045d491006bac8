import { consoleOperations, operatorOperations } from '../../src/app/features.ts'
import { publicOperations } from '../../src/contract/operations.ts'
import { consoleDocument } from '../../src/documents/console-document.ts'
import { openapiDocument } from '../../src/documents/openapi.ts'
import { mediaDocument } from '../../src/features/calls/media/operations.ts'
import { completionDocument } from '../../src/features/calls/openai/contract.ts'
import { operatorDocument } from '../../src/features/operators/contract.ts'
import { keyDocument } from '../../src/features/programs/key-api/contract.ts'
import { providerNames } from '../providers/provider-names.ts'

const origin = 'https://gateway.example'

/** All six OpenAPI documents of a gateway, by name. */
export const documents = {
  public: openapiDocument({ operations: publicOperations(providerNames), origin }),
  console: consoleDocument(consoleOperations, origin),
  key: keyDocument(origin),
  media: mediaDocument({ origin, mediaProviders: ['media_provider_a'], mediaCreditsPerSecond: 8 }),
  openai: completionDocument({ origin: new URL(origin) }),
  operator: operatorDocument(operatorOperations, origin),
}
