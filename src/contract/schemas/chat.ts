import { Type } from 'typebox'
import { Choice, failsWith, named, request } from '../field.ts'
import type { ProviderNames } from './provider-names.ts'

const Units = () => Type.Integer({ minimum: 0 })

export function chat({ models }: ProviderNames) {
  return {
    request: request('ChatRequest', {
      prompt: Type.String({ pattern: '\\S', ...failsWith('INVALID_PROMPT') }),
      provider: Type.Optional(Choice(models, failsWith('PROVIDER_NOT_ALLOWED'))),
      model: Type.Optional(
        Type.String({
          pattern: '\\S',
          ...failsWith('INVALID_MODEL'),
          description: 'An alias of the provider; its first by default.',
        }),
      ),
    }),
    data: named('ChatData', {
      provider: Choice(models),
      model: Type.String({ minLength: 1 }),
      output: Type.String(),
    }),
    usage: named(
      'ChatUsage',
      { inputUnits: Units(), outputUnits: Units(), totalUnits: Units() },
      { description: 'Units are not money.' },
    ),
  }
}
