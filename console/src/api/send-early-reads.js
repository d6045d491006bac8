// Requests the page's data while the application is still loading. early-reads.ts hands out the responses.
{
  const isPreview = location.pathname.startsWith('/gateway/')
  const api = isPreview ? '/gateway/api' : '/v1'
  const page = location.pathname.split('/')[isPreview ? 3 : 2] ?? ''
  const pages = {
    '': ['/console/usage/daily?days=30', '/console/usage?limit=25'],
    recharge: ['/pricing', '/console/payment-methods', '/console/orders?limit=25'],
    usage: ['/console/usage/daily', '/console/usage?limit=25'],
    ledger: ['/console/ledger?limit=25'],
    reviews: ['/console/reviews?limit=100'],
    keys: ['/console/keys'],
    playground: ['/console/models'],
    media: ['/console/models', '/console/media/jobs?limit=25'],
    webhooks: ['/console/webhooks'],
    pricing: ['/pricing', '/console/models'],
    account: ['/console/second-factor', '/console/second-factor/passkeys', '/console/sessions'],
    events: ['/console/events?limit=25'],
    alerts: ['/console/alerts'],
  }
  // Public documents, which are below no prefix.
  const documents = {
    playground: [isPreview ? '/gateway/openapi.json' : '/openapi.json'],
    proof: ['/.well-known/jwks.json', '/transparency/checkpoint'],
  }
  // A filter or a charge ID needs another request.
  const isPlain = location.search === '' && !(page === 'usage' && /usage\/./.test(location.pathname))
  const isSignedOut = ['sign-in', 'register', 'recover'].includes(page)
  const ofPage = (isPlain && pages[page]) || []
  const paths = isSignedOut ? ['/me'] : ['/me', '/console/overview', ...ofPage]
  globalThis.earlyReads = new Map(
    [...paths.map((path) => api + path), ...(documents[page] ?? [])].map((path) => [
      path,
      fetch(path, { signal: AbortSignal.timeout(20_000) }).catch(() => null),
    ]),
  )
}
