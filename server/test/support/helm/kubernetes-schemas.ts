// Checks manifests against the schemas that Kubernetes publishes, as the packages of kubernetes-models have compiled
// them.

export interface Validate {
  (data: unknown): boolean
  readonly errors?:
    | readonly { readonly instancePath: string; readonly message?: string; readonly keyword: string }[]
    | null
}

interface KubernetesObject {
  readonly apiVersion: string
  readonly kind: string
}

type Load = () => Promise<{ readonly validate: unknown }>

const schemas: Readonly<Record<string, Load>> = {
  'v1 ConfigMap': () => import('kubernetes-models/_schemas/IoK8sApiCoreV1ConfigMap'),
  'v1 Service': () => import('kubernetes-models/_schemas/IoK8sApiCoreV1Service'),
  'v1 ServiceAccount': () => import('kubernetes-models/_schemas/IoK8sApiCoreV1ServiceAccount'),
  'apps/v1 Deployment': () => import('kubernetes-models/_schemas/IoK8sApiAppsV1Deployment'),
  'autoscaling/v2 HorizontalPodAutoscaler': () =>
    import('kubernetes-models/_schemas/IoK8sApiAutoscalingV2HorizontalPodAutoscaler'),
  'batch/v1 Job': () => import('kubernetes-models/_schemas/IoK8sApiBatchV1Job'),
  'networking.k8s.io/v1 Ingress': () => import('kubernetes-models/_schemas/IoK8sApiNetworkingV1Ingress'),
  'networking.k8s.io/v1 NetworkPolicy': () =>
    import('kubernetes-models/_schemas/IoK8sApiNetworkingV1NetworkPolicy'),
  'policy/v1 PodDisruptionBudget': () =>
    import('kubernetes-models/_schemas/IoK8sApiPolicyV1PodDisruptionBudget'),
  'monitoring.coreos.com/v1 ServiceMonitor': () => import(ofTheOperator('ServiceMonitor')),
}

export async function validatorFor({ apiVersion, kind }: KubernetesObject): Promise<Validate> {
  const load = schemas[`${apiVersion} ${kind}`]
  if (!load) throw new Error(`there is no schema for ${kind} of ${apiVersion}`)
  return (await load()).validate as Validate
}

/** Its package offers the classes only, which copy what they check. */
const ofTheOperator = (kind: string): string => {
  const file = `ComGithubPrometheusOperatorPrometheusOperatorPkgApisMonitoringV1${kind}.js`
  return new URL(`_schemas/${file}`, import.meta.resolve('@kubernetes-models/prometheus-operator')).href
}

/**
 * The faults of a manifest, and the fields that the schema does not know: those that the validator has never looked at.
 * The server drops such a field with a warning, which is how a typing error gets into production.
 */
export function faultsIn(manifest: object, validate: Validate): string[] {
  const seen = new Map<string, Set<string>>()
  const watched = <Value>(value: Value, path: string): Value => {
    if (typeof value !== 'object' || value === null) return value
    const looked = seen.get(path) ?? new Set<string>()
    seen.set(path, looked)
    return new Proxy(value, {
      get(target, key) {
        const inner: unknown = Reflect.get(target, key)
        if (typeof key !== 'string' || typeof inner === 'function') return inner
        looked.add(key)
        return watched(inner, `${path}/${key}`)
      },
    })
  }
  const isValid = validate(watched(manifest, ''))
  const faults = isValid
    ? []
    : (validate.errors ?? []).map(({ instancePath, keyword }) => `${instancePath} ${keyword}`)
  const unknown: string[] = []
  const compare = (value: unknown, path: string): void => {
    if (typeof value !== 'object' || value === null) return
    const looked = seen.get(path)
    for (const [key, inner] of Object.entries(value)) {
      if (!looked?.has(key)) unknown.push(`${path}/${key} is unknown`)
      else compare(inner, `${path}/${key}`)
    }
  }
  compare(manifest, '')
  return [...faults, ...unknown]
}
