// Requests the page's data while the application is still loading. early-reads.ts hands out the responses.
{
  const isPreview = location.pathname.startsWith('/gateway/')
  const api = isPreview ? '/gateway/api' : '/v1'
  const page = location.pathname.split('/')[isPreview ? 3 : 2] ?? ''
  const pages = {
    '': ['/console/usage/daily?days=30', '/console/usage?limit=25'],
    recharge: ['/pricing', '/console/payment-methods', '/console/orders?limit=25'],
    usage: ['/console/usage/daily', '/console/usage?limit=25', '/console/keys'],
    ledger: ['/console/ledger?limit=25'],
    reviews: ['/console/reviews?limit=100'],
    keys: ['/console/keys'],
    playground: ['/console/models'],
    pricing: ['/pricing', '/console/models'],
    account: ['/console/sessions'],
    events: ['/console/events?limit=25'],
    alerts: ['/console/alerts'],
  }
  // A filter or a charge ID needs another request.
  const isPlain = location.search === '' && !(page === 'usage' && /usage\/./.test(location.pathname))
  const isSignedOut = ['sign-in', 'register', 'recover'].includes(page)
  const paths = ['/me', ...(isSignedOut ? [] : ['/console/overview', ...((isPlain && pages[page]) || [])])]
  globalThis.earlyReads = new Map(
    paths.map((path) => [api + path, fetch(api + path, { signal: AbortSignal.timeout(20_000) }).catch(() => null)]),
  )
}
