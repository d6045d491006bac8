import { type Static, Type } from 'typebox'
import { Choice, named } from '../../contract/field.ts'

const adapter = Type.Union([Choice(['local', 'remote']), Type.Null()], {
  description: 'Whether it answers from inside this service or calls another one; null when it is disabled.',
})

/** Which providers can be named in a call, and what they offer. */
export const Catalog = named('Catalog', {
  defaultModelProvider: Type.String({ minLength: 1, description: 'Asked when a call names no provider.' }),
  modelProviders: Type.Array(
    named('CatalogModelProvider', {
      provider: Type.String({ minLength: 1 }),
      enabled: Type.Boolean(),
      adapter,
      models: Type.Array(Type.String({ minLength: 1 }), { description: 'Aliases that a call may name.' }),
      defaultModel: Type.Union([Type.String({ minLength: 1 }), Type.Null()]),
      maxPromptChars: Type.Union([Type.Integer({ minimum: 1 }), Type.Null()]),
    }),
  ),
  mediaCreditsPerSecond: Type.Integer({ minimum: 1, description: 'Price of a video, for each of its seconds.' }),
  defaultMediaProvider: Type.String({ minLength: 1 }),
  mediaProviders: Type.Array(
    named('CatalogMediaProvider', { provider: Type.String({ minLength: 1 }), enabled: Type.Boolean(), adapter }),
  ),
  shoppingMode: Choice(['local-mock', 'pick-http']),
  shops: Type.Array(
    named('CatalogShop', { provider: Type.String({ minLength: 1 }), enabled: Type.Boolean(), adapter }),
  ),
})

export type Catalog = Static<typeof Catalog>
