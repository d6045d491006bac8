import { dayOf, dayText } from '../../../base/time.ts'
import { modelAliases } from '../../../config/model-aliases.ts'
import { Refusal } from '../../../contract/errors.ts'
import type { DayParameters, PageParameters } from '../../../contract/paging.ts'
import type { PaymentMode } from '../../../contract/prices.ts'
import type { Mode } from '../../../contract/schemas/products.ts'
import type { ViewDeps } from '../../../http/endpoint.ts'
import { ok, pathParameter, viewRoute } from '../../../http/endpoint.ts'
import { type Route, StreamedBody } from '../../../http/route.ts'
import type { ModelSettings } from '../../../providers/models/model-provider.ts'
import type { ShopSettings } from '../../../providers/shopping/shop-provider.ts'
import type { MediaSettings } from '../../calls/media/providers/provider.ts'
import type {
  ChargeParameters,
  DailyParameters,
  EntryParameters,
  LedgerParameters,
  UsageParameters,
} from './contract.ts'
import { createExports } from './exports.ts'
import type { FileLanguage } from './file-columns.ts'
import { ledgerPage } from './ledger.ts'
import { usageOutcomes } from './outcomes.ts'
import type { Catalog, Overview } from './overview-contract.ts'
import { overviewOf, publicChargeDetails } from './public-charge.ts'
import type { ReportStore } from './store.ts'
import { dailyParts, dailyUsage, reviewPage, usagePage } from './usage.ts'

export interface ReportRouteDeps extends ViewDeps {
  readonly reports: ReportStore
  readonly clock: () => number
  readonly baseUrl: string
  /** A function, because the operator's port is known only after the start. */
  readonly smsInboxUrl: () => string | null
  readonly paymentMode: PaymentMode
}

export function reportRoutes(deps: ReportRouteDeps): Route[] {
  const { operation, reports, clock, baseUrl, smsInboxUrl, paymentMode } = deps
  const details = operation('console.usage.read')
  return [
    viewRoute(deps, 'console.overview', async ({ session }) => {
      const overview = await overviewOf(reports, session.projectId, clock())
      return ok({ ...overview, baseUrl, smsInboxUrl: smsInboxUrl(), paymentMode } satisfies Overview)
    }),
    viewRoute<UsageParameters>(deps, 'console.usage.list', async ({ session, query }) =>
      ok(await usagePage(reports, session.projectId, query)),
    ),
    viewRoute<DailyParameters>(deps, 'console.usage.daily', async ({ session, query }) =>
      ok(await dailyUsage(reports, session.projectId, { ...query, now: clock() })),
    ),
    viewRoute<DailyParameters & { readonly by: 'key' | 'model' }>(
      deps,
      'console.usage.parts',
      async ({ session, query }) => ok(await dailyParts(reports, session.projectId, { ...query, now: clock() })),
    ),
    viewRoute<DayParameters>(deps, 'console.usage.outcomes', async ({ session, query }) =>
      ok(await usageOutcomes(reports, session.projectId, { ...query, now: clock() })),
    ),
    viewRoute(deps, details.id, async ({ session, call }) => {
      const rows = await reports.details(session.projectId, pathParameter(details, call, 'chargeId'))
      if (!rows) throw new Refusal('NOT_FOUND')
      return ok(publicChargeDetails(rows))
    }),
    viewRoute<PageParameters>(deps, 'console.reviews.list', async ({ session, query }) =>
      ok(await reviewPage(reports, session.projectId, query)),
    ),
    viewRoute<LedgerParameters>(deps, 'console.ledger.list', async ({ session, query }) =>
      ok(await ledgerPage(reports, session.projectId, query)),
    ),
  ]
}

type ExportRouteDeps = ViewDeps & Pick<ReportRouteDeps, 'reports' | 'clock'>

export function exportRoutes(deps: ExportRouteDeps): Route[] {
  const exports = createExports(deps.reports)
  const download = (id: string, name: keyof typeof exports) =>
    viewRoute<ChargeParameters & EntryParameters & { readonly language: FileLanguage }>(
      deps,
      id,
      async ({ session, query }) => {
        const fileName = [name, query.from, query.to ?? dayText(dayOf(deps.clock()))].filter(Boolean).join('-')
        return {
          status: 200,
          headers: {
            'content-type': 'text/csv; charset=utf-8',
            'content-disposition': `attachment; filename="${fileName}.csv"`,
          },
          body: new StreamedBody(null, () => exports[name](session.projectId, query)),
        }
      },
    )
  return [download('console.usage.csv', 'usage'), download('console.ledger.csv', 'ledger')]
}

interface CatalogSettings {
  readonly models: { readonly default: string; readonly providers: Readonly<Record<string, ModelSettings>> }
  readonly media: {
    readonly default: string
    readonly creditsPerSecond: number
    readonly providers: Readonly<Record<string, MediaSettings>>
  }
  readonly shopping: { readonly mode: Mode; readonly providers: Readonly<Record<string, ShopSettings | null>> }
}

/** What callers may know of the providers: no address, no credential, no name that an upstream uses. */
function catalogOf({ models, media, shopping }: CatalogSettings): Catalog {
  return {
    defaultModelProvider: models.default,
    modelProviders: Object.entries(models.providers).map(([provider, settings]) => modelProvider(provider, settings)),
    mediaCreditsPerSecond: media.creditsPerSecond,
    defaultMediaProvider: media.default,
    mediaProviders: Object.entries(media.providers).map(([provider, { adapter }]) => ({
      provider,
      enabled: adapter !== 'disabled',
      adapter: adapter === 'disabled' ? null : adapter === 'local' ? 'local' : 'remote',
    })),
    shoppingMode: shopping.mode,
    shops: Object.entries(shopping.providers).map(([provider, settings]) => shop(provider, shopping.mode, settings)),
  }
}

function modelProvider(provider: string, settings: ModelSettings): Catalog['modelProviders'][number] {
  if (settings.adapter === 'disabled') {
    const none = { maxPromptChars: null, maxOutputTokens: null }
    return { provider, enabled: false, adapter: null, models: [], defaultModel: null, ...none }
  }
  const models = [...(modelAliases(settings) ?? [])]
  return {
    provider,
    enabled: true,
    adapter: settings.adapter === 'local' ? 'local' : 'remote',
    models,
    defaultModel: models[0] ?? null,
    maxPromptChars: settings.maxPromptChars,
    maxOutputTokens: settings.maxOutputTokens,
  }
}

/** A shop that the file leaves out is served by the fixtures, and disabled where real shops are asked. */
function shop(provider: string, mode: Mode, settings: ShopSettings | null): Catalog['shops'][number] {
  const enabled = !settings?.disabled && (mode === 'local-mock' || settings !== null)
  return { provider, enabled, adapter: enabled ? (mode === 'local-mock' ? 'local' : 'remote') : null }
}

export function catalogRoutes({ catalog, ...deps }: ViewDeps & { readonly catalog: CatalogSettings }): Route[] {
  const shown = catalogOf(catalog)
  return [viewRoute(deps, 'console.models.list', () => ok(shown))]
}
