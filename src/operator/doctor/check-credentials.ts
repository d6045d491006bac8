import type { Config } from '../../config/config.ts'
import { type Finding, findingsOf } from './finding.ts'

const { ok, warning } = findingsOf('credentials')

/** Checks that the variables with provider credentials are set; never shows their values. */
export function checkCredentials({
  models,
  shopping,
  credential,
}: Pick<Config, 'models' | 'shopping' | 'credential'>): Finding[] {
  const needed: { provider: string; variable: string }[] = []
  for (const [provider, settings] of Object.entries(models.providers)) {
    if (settings.adapter === 'openai' && settings.apiKeyEnv) needed.push({ provider, variable: settings.apiKeyEnv })
  }
  for (const [provider, settings] of Object.entries(shopping.mode === 'pick-http' ? shopping.providers : {})) {
    if (settings?.apiKeyEnv && !settings.disabled) needed.push({ provider, variable: settings.apiKeyEnv })
  }
  if (needed.length === 0) return [ok('no provider needs credentials')]
  return needed.map(({ provider, variable }) =>
    credential(variable) === undefined
      ? warning(
          `${variable} is not set: calls to ${provider} fail with PROVIDER_AUTH_REQUIRED`,
          `Set ${variable} where the gateway runs.`,
        )
      : ok(`${variable} is set for ${provider}`),
  )
}
