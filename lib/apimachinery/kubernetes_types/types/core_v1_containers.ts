// Written by `deno task facts:dump`.
import type { V1ObjectFieldSelector, V1ResourceFieldSelector } from "./core_v1_volumes.ts";

/** The type `AppArmorProfile` of `core/v1`. */
export type V1AppArmorProfile = {
  /** One of `Localhost`, `RuntimeDefault`, `Unconfined`. */
  type: string;
  localhostProfile?: string;
};

/** The type `Capabilities` of `core/v1`. */
export type V1Capabilities = {
  add?: string[];
  drop?: string[];
};

/** The type `ConfigMapEnvSource` of `core/v1`. */
export type V1ConfigMapEnvSource = {
  /** @default {""} */
  name?: string;
  optional?: boolean;
};

/** The type `ConfigMapKeySelector` of `core/v1`. */
export type V1ConfigMapKeySelector = {
  /** @default {""} */
  name?: string;
  key: string;
  optional?: boolean;
};

/** The type `Container` of `core/v1`. */
export type V1Container = {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  /** One item for each `containerPort` and `protocol`. */
  ports?: V1ContainerPort[];
  envFrom?: V1EnvFromSource[];
  /** One item for each `name`. */
  env?: V1EnvVar[];
  resources?: V1ResourceRequirements;
  resizePolicy?: V1ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: V1ContainerRestartRule[];
  /** One item for each `mountPath`. */
  volumeMounts?: V1VolumeMount[];
  /** One item for each `devicePath`. */
  volumeDevices?: V1VolumeDevice[];
  livenessProbe?: V1Probe;
  readinessProbe?: V1Probe;
  startupProbe?: V1Probe;
  lifecycle?: V1Lifecycle;
  terminationMessagePath?: string;
  /** One of `FallbackToLogsOnError`, `File`. */
  terminationMessagePolicy?: string;
  /** One of `Always`, `IfNotPresent`, `Never`. */
  imagePullPolicy?: string;
  securityContext?: V1SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
};

/** The type `ContainerPort` of `core/v1`. */
export type V1ContainerPort = {
  name?: string;
  hostPort?: number;
  containerPort: number;
  /** One of `SCTP`, `TCP`, `UDP`. @default {"TCP"} */
  protocol?: string;
  hostIP?: string;
};

/** The type `ContainerResizePolicy` of `core/v1`. */
export type V1ContainerResizePolicy = {
  resourceName: string;
  restartPolicy: string;
};

/** The type `ContainerRestartRule` of `core/v1`. */
export type V1ContainerRestartRule = {
  action: string;
  exitCodes?: V1ContainerRestartRuleOnExitCodes;
};

/** The type `ContainerRestartRuleOnExitCodes` of `core/v1`. */
export type V1ContainerRestartRuleOnExitCodes = {
  operator: string;
  /** Each item once. */
  values?: number[];
};

/** The type `ContainerState` of `core/v1`. */
export type V1ContainerState = {
  waiting?: V1ContainerStateWaiting;
  running?: V1ContainerStateRunning;
  terminated?: V1ContainerStateTerminated;
};

/** The type `ContainerStateRunning` of `core/v1`. */
export type V1ContainerStateRunning = {
  /** RFC 3339, in whole seconds. */
  startedAt?: string;
};

/** The type `ContainerStateTerminated` of `core/v1`. */
export type V1ContainerStateTerminated = {
  exitCode: number;
  signal?: number;
  reason?: string;
  message?: string;
  /** RFC 3339, in whole seconds. */
  startedAt?: string;
  /** RFC 3339, in whole seconds. */
  finishedAt?: string;
  containerID?: string;
};

/** The type `ContainerStateWaiting` of `core/v1`. */
export type V1ContainerStateWaiting = {
  reason?: string;
  message?: string;
};

/** The type `ContainerStatus` of `core/v1`. */
export type V1ContainerStatus = {
  name: string;
  state?: V1ContainerState;
  lastState?: V1ContainerState;
  ready: boolean;
  restartCount: number;
  image: string;
  imageID: string;
  containerID?: string;
  started?: boolean;
  /** A quantity, as `500m` or `2Gi`. */
  allocatedResources?: Record<string, string>;
  resources?: V1ResourceRequirements;
  /** One item for each `mountPath`. */
  volumeMounts?: V1VolumeMountStatus[];
  user?: V1ContainerUser;
  /** One item for each `name`. */
  allocatedResourcesStatus?: V1ResourceStatus[];
  /** One of `SIGABRT`, `SIGALRM`, `SIGBUS`, `SIGCHLD`, `SIGCLD`, `SIGCONT`, `SIGFPE`, `SIGHUP`, `SIGILL`, `SIGINT`, `SIGIO`, `SIGIOT`, `SIGKILL`, `SIGPIPE`, `SIGPOLL`, `SIGPROF`, `SIGPWR`, `SIGQUIT`, `SIGRTMAX`, `SIGRTMAX-1`, `SIGRTMAX-10`, `SIGRTMAX-11`, `SIGRTMAX-12`, `SIGRTMAX-13`, `SIGRTMAX-14`, `SIGRTMAX-2`, `SIGRTMAX-3`, `SIGRTMAX-4`, `SIGRTMAX-5`, `SIGRTMAX-6`, `SIGRTMAX-7`, `SIGRTMAX-8`, `SIGRTMAX-9`, `SIGRTMIN`, `SIGRTMIN+1`, `SIGRTMIN+10`, `SIGRTMIN+11`, `SIGRTMIN+12`, `SIGRTMIN+13`, `SIGRTMIN+14`, `SIGRTMIN+15`, `SIGRTMIN+2`, `SIGRTMIN+3`, `SIGRTMIN+4`, `SIGRTMIN+5`, `SIGRTMIN+6`, `SIGRTMIN+7`, `SIGRTMIN+8`, `SIGRTMIN+9`, `SIGSEGV`, `SIGSTKFLT`, `SIGSTOP`, `SIGSYS`, `SIGTERM`, `SIGTRAP`, `SIGTSTP`, `SIGTTIN`, `SIGTTOU`, `SIGURG`, `SIGUSR1`, `SIGUSR2`, `SIGVTALRM`, `SIGWINCH`, `SIGXCPU`, `SIGXFSZ`. */
  stopSignal?: string;
};

/** The type `ContainerUser` of `core/v1`. */
export type V1ContainerUser = {
  linux?: V1LinuxContainerUser;
};

/** The type `EnvFromSource` of `core/v1`. */
export type V1EnvFromSource = {
  prefix?: string;
  configMapRef?: V1ConfigMapEnvSource;
  secretRef?: V1SecretEnvSource;
};

/** The type `EnvVar` of `core/v1`. */
export type V1EnvVar = {
  name: string;
  value?: string;
  valueFrom?: V1EnvVarSource;
};

/** The type `EnvVarSource` of `core/v1`. */
export type V1EnvVarSource = {
  fieldRef?: V1ObjectFieldSelector;
  resourceFieldRef?: V1ResourceFieldSelector;
  configMapKeyRef?: V1ConfigMapKeySelector;
  secretKeyRef?: V1SecretKeySelector;
  fileKeyRef?: V1FileKeySelector;
};

/** The type `EphemeralContainer` of `core/v1`. */
export type V1EphemeralContainer = {
  name: string;
  image?: string;
  command?: string[];
  args?: string[];
  workingDir?: string;
  /** One item for each `containerPort` and `protocol`. */
  ports?: V1ContainerPort[];
  envFrom?: V1EnvFromSource[];
  /** One item for each `name`. */
  env?: V1EnvVar[];
  resources?: V1ResourceRequirements;
  resizePolicy?: V1ContainerResizePolicy[];
  restartPolicy?: string;
  restartPolicyRules?: V1ContainerRestartRule[];
  /** One item for each `mountPath`. */
  volumeMounts?: V1VolumeMount[];
  /** One item for each `devicePath`. */
  volumeDevices?: V1VolumeDevice[];
  livenessProbe?: V1Probe;
  readinessProbe?: V1Probe;
  startupProbe?: V1Probe;
  lifecycle?: V1Lifecycle;
  terminationMessagePath?: string;
  /** One of `FallbackToLogsOnError`, `File`. */
  terminationMessagePolicy?: string;
  /** One of `Always`, `IfNotPresent`, `Never`. */
  imagePullPolicy?: string;
  securityContext?: V1SecurityContext;
  stdin?: boolean;
  stdinOnce?: boolean;
  tty?: boolean;
  targetContainerName?: string;
};

/** The type `ExecAction` of `core/v1`. */
export type V1ExecAction = {
  command?: string[];
};

/** The type `FileKeySelector` of `core/v1`. */
export type V1FileKeySelector = {
  volumeName: string;
  path: string;
  key: string;
  /** @default {false} */
  optional?: boolean;
};

/** The type `GRPCAction` of `core/v1`. */
export type V1GRPCAction = {
  port: number;
  /** @default {""} */
  service?: string;
  /** One of `Plaintext`, `TLS`. */
  mode?: string;
};

/** The type `HTTPGetAction` of `core/v1`. */
export type V1HTTPGetAction = {
  path?: string;
  port: number | string;
  host?: string;
  /** One of `HTTP`, `HTTPS`. */
  scheme?: string;
  httpHeaders?: V1HTTPHeader[];
  /** One of `HTTP1`, `HTTP2`. */
  protocol?: string;
};

/** The type `HTTPHeader` of `core/v1`. */
export type V1HTTPHeader = {
  name: string;
  value: string;
};

/** The type `ImageVolumeStatus` of `core/v1`. */
export type V1ImageVolumeStatus = {
  imageRef: string;
};

/** The type `Lifecycle` of `core/v1`. */
export type V1Lifecycle = {
  postStart?: V1LifecycleHandler;
  preStop?: V1LifecycleHandler;
  /** One of `SIGABRT`, `SIGALRM`, `SIGBUS`, `SIGCHLD`, `SIGCLD`, `SIGCONT`, `SIGFPE`, `SIGHUP`, `SIGILL`, `SIGINT`, `SIGIO`, `SIGIOT`, `SIGKILL`, `SIGPIPE`, `SIGPOLL`, `SIGPROF`, `SIGPWR`, `SIGQUIT`, `SIGRTMAX`, `SIGRTMAX-1`, `SIGRTMAX-10`, `SIGRTMAX-11`, `SIGRTMAX-12`, `SIGRTMAX-13`, `SIGRTMAX-14`, `SIGRTMAX-2`, `SIGRTMAX-3`, `SIGRTMAX-4`, `SIGRTMAX-5`, `SIGRTMAX-6`, `SIGRTMAX-7`, `SIGRTMAX-8`, `SIGRTMAX-9`, `SIGRTMIN`, `SIGRTMIN+1`, `SIGRTMIN+10`, `SIGRTMIN+11`, `SIGRTMIN+12`, `SIGRTMIN+13`, `SIGRTMIN+14`, `SIGRTMIN+15`, `SIGRTMIN+2`, `SIGRTMIN+3`, `SIGRTMIN+4`, `SIGRTMIN+5`, `SIGRTMIN+6`, `SIGRTMIN+7`, `SIGRTMIN+8`, `SIGRTMIN+9`, `SIGSEGV`, `SIGSTKFLT`, `SIGSTOP`, `SIGSYS`, `SIGTERM`, `SIGTRAP`, `SIGTSTP`, `SIGTTIN`, `SIGTTOU`, `SIGURG`, `SIGUSR1`, `SIGUSR2`, `SIGVTALRM`, `SIGWINCH`, `SIGXCPU`, `SIGXFSZ`. */
  stopSignal?: string;
};

/** The type `LifecycleHandler` of `core/v1`. */
export type V1LifecycleHandler = {
  exec?: V1ExecAction;
  httpGet?: V1HTTPGetAction;
  tcpSocket?: V1TCPSocketAction;
  sleep?: V1SleepAction;
};

/** The type `LinuxContainerUser` of `core/v1`. */
export type V1LinuxContainerUser = {
  uid: number;
  gid: number;
  supplementalGroups?: number[];
};

/** The type `Probe` of `core/v1`. */
export type V1Probe = {
  exec?: V1ExecAction;
  httpGet?: V1HTTPGetAction;
  tcpSocket?: V1TCPSocketAction;
  grpc?: V1GRPCAction;
  initialDelaySeconds?: number;
  timeoutSeconds?: number;
  periodSeconds?: number;
  successThreshold?: number;
  failureThreshold?: number;
  terminationGracePeriodSeconds?: number;
};

/** The type `ResourceClaim` of `core/v1`. */
export type CoreV1ResourceClaim = {
  name: string;
  request?: string;
};

/** The type `ResourceHealth` of `core/v1`. */
export type V1ResourceHealth = {
  resourceID: string;
  health?: string;
  message?: string;
};

/** The type `ResourceRequirements` of `core/v1`. */
export type V1ResourceRequirements = {
  /** A quantity, as `500m` or `2Gi`. */
  limits?: Record<string, string>;
  /** A quantity, as `500m` or `2Gi`. */
  requests?: Record<string, string>;
  /** One item for each `name`. */
  claims?: CoreV1ResourceClaim[];
};

/** The type `ResourceStatus` of `core/v1`. */
export type V1ResourceStatus = {
  name: string;
  /** One item for each `resourceID`. */
  resources?: V1ResourceHealth[];
};

/** The type `SELinuxOptions` of `core/v1`. */
export type V1SELinuxOptions = {
  user?: string;
  role?: string;
  type?: string;
  level?: string;
};

/** The type `SeccompProfile` of `core/v1`. */
export type V1SeccompProfile = {
  /** One of `Localhost`, `RuntimeDefault`, `Unconfined`. */
  type: string;
  localhostProfile?: string;
};

/** The type `SecretEnvSource` of `core/v1`. */
export type V1SecretEnvSource = {
  /** @default {""} */
  name?: string;
  optional?: boolean;
};

/** The type `SecretKeySelector` of `core/v1`. */
export type V1SecretKeySelector = {
  /** @default {""} */
  name?: string;
  key: string;
  optional?: boolean;
};

/** The type `SecurityContext` of `core/v1`. */
export type V1SecurityContext = {
  capabilities?: V1Capabilities;
  privileged?: boolean;
  seLinuxOptions?: V1SELinuxOptions;
  windowsOptions?: V1WindowsSecurityContextOptions;
  runAsUser?: number;
  runAsGroup?: number;
  runAsNonRoot?: boolean;
  readOnlyRootFilesystem?: boolean;
  allowPrivilegeEscalation?: boolean;
  /** One of `Default`, `Unmasked`. */
  procMount?: string;
  seccompProfile?: V1SeccompProfile;
  appArmorProfile?: V1AppArmorProfile;
};

/** The type `SleepAction` of `core/v1`. */
export type V1SleepAction = {
  seconds: number;
};

/** The type `TCPSocketAction` of `core/v1`. */
export type V1TCPSocketAction = {
  port: number | string;
  host?: string;
};

/** The type `VolumeDevice` of `core/v1`. */
export type V1VolumeDevice = {
  name: string;
  devicePath: string;
};

/** The type `VolumeMount` of `core/v1`. */
export type V1VolumeMount = {
  name: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  mountPath: string;
  subPath?: string;
  /** One of `Bidirectional`, `HostToContainer`, `None`. */
  mountPropagation?: string;
  subPathExpr?: string;
  /** Each item once. */
  bindMountOptions?: string[];
};

/** The type `VolumeMountStatus` of `core/v1`. */
export type V1VolumeMountStatus = {
  name: string;
  mountPath: string;
  readOnly?: boolean;
  recursiveReadOnly?: string;
  volumeStatus?: V1VolumeStatus;
};

/** The type `VolumeStatus` of `core/v1`. */
export type V1VolumeStatus = {
  image?: V1ImageVolumeStatus;
};

/** The type `WindowsSecurityContextOptions` of `core/v1`. */
export type V1WindowsSecurityContextOptions = {
  gmsaCredentialSpecName?: string;
  gmsaCredentialSpec?: string;
  runAsUserName?: string;
  hostProcess?: boolean;
};
