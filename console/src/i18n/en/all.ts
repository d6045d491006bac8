import { alerts } from './alerts.ts'
import { en } from './en.ts'
import { events } from './events.ts'
import { media } from './media.ts'
import { playground } from './playground.ts'
import { pricing } from './pricing.ts'
import { webhooks } from './webhooks.ts'

/** Every word of the payer's console, for types and tests. */
export const allEn = { ...en, playground, media, pricing, events, alerts, webhooks } as const
