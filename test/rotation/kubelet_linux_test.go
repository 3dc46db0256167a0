// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package rotation

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	toolscache "k8s.io/client-go/tools/cache"
	"sigs.k8s.io/controller-runtime/pkg/client"

	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/inject"
)

// kubelet plays the kubelet of one node: it mounts volumes, runs the screener of each pod as a process and an agent beside
// it, and refreshes what is mounted some time after a pod was touched.
type kubelet struct {
	t      *testing.T
	k8s    client.Client
	cache  client.Reader
	dir    string
	binary string // of the screener
	// delay is how long a pod of an agent waits for a refresh.
	delay func(agent string) time.Duration
	// agents holds what each agent remembers to have written, over the life of its pods.
	agents map[string]*agent

	running sync.WaitGroup
	mu      sync.Mutex
	pods    map[types.UID]*sandbox
	started int
	screens []*program // all that ever ran
}

// sandbox is one pod on the node.
type sandbox struct {
	name, agent string
	touched     chan struct{} // capacity 1: what comes during a refresh is done after it
	end         context.CancelFunc
	lost        context.Context // ends when the node is lost: nobody looks after the pod any more
	lose        context.CancelFunc
	idle        chan struct{} // closed when the agent's container has ended
	screener    *program
}

func newKubelet(c *cluster, binary string, agents map[string]*agent, delay func(string) time.Duration) *kubelet {
	c.t.Helper()
	k := &kubelet{
		t: c.t, k8s: c.k8s, cache: c.cache, dir: c.t.TempDir(), binary: binary, delay: delay, agents: agents, pods: map[types.UID]*sandbox{},
	}
	ctx, cancel := context.WithCancel(context.Background())
	informer, err := c.cache.GetInformer(ctx, &corev1.Pod{})
	must(c.t, err)
	_, err = informer.AddEventHandler(toolscache.ResourceEventHandlerFuncs{
		AddFunc: func(o any) { k.see(ctx, nil, o.(*corev1.Pod)) },
		UpdateFunc: func(before, o any) {
			k.see(ctx, before.(*corev1.Pod), o.(*corev1.Pod))
		},
		DeleteFunc: func(o any) {
			if pod, ok := o.(*corev1.Pod); ok {
				k.forget(pod.UID)
			}
		},
	})
	must(c.t, err)
	c.t.Cleanup(func() {
		cancel()
		k.running.Wait()
	})
	return k
}

// see takes note of a pod: it starts it, refreshes it when it was touched, and ends it when it is to go.
func (k *kubelet) see(ctx context.Context, before, pod *corev1.Pod) {
	k.mu.Lock()
	defer k.mu.Unlock()
	s := k.pods[pod.UID]
	ended := pod.DeletionTimestamp != nil || pod.Status.Phase == corev1.PodFailed
	switch {
	case s == nil && !ended:
		k.started++
		s = &sandbox{name: pod.Name, agent: pod.Labels[v1alpha1.LabelAgent], touched: make(chan struct{}, 1), idle: make(chan struct{})}
		var life context.Context
		life, s.end = context.WithCancel(ctx)
		s.lost, s.lose = context.WithCancel(context.Background())
		k.pods[pod.UID] = s
		address := net.IPv4(127, 0, byte(1+k.started/250), byte(1+k.started%250)).String()
		k.running.Go(func() {
			if err := k.run(life, s, pod, address); err != nil && life.Err() == nil {
				k.t.Errorf("pod %s: %v", pod.Name, err)
			}
		})
	case s != nil && ended:
		s.end()
	case s != nil && before != nil && before.Annotations[v1alpha1.AnnotationSync] != pod.Annotations[v1alpha1.AnnotationSync]:
		select {
		case s.touched <- struct{}{}:
		default:
		}
	}
}

// forget ends a pod that is gone.
func (k *kubelet) forget(uid types.UID) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if s := k.pods[uid]; s != nil {
		s.end()
	}
}

// run is the life of a pod.
func (k *kubelet) run(ctx context.Context, s *sandbox, pod *corev1.Pod, address string) error {
	config := filepath.Join(k.dir, "config", s.name)
	if err := os.MkdirAll(config, 0o700); err != nil {
		return err
	}
	for {
		if _, err := project(ctx, k.cache, configOf(pod)); err == nil {
			break
		}
		if !pause(ctx, 200*time.Millisecond) { // what the operator did not make yet is waited for
			return nil
		}
	}
	if err := k.mount(ctx, pod, config); err != nil {
		return err
	}
	if err := k.startScreener(s, pod, config, address); err != nil {
		return err
	}
	if err := k.report(ctx, pod, address); err != nil {
		return err
	}
	url := "http://" + net.JoinHostPort(address, strconv.Itoa(inject.AgentPort))
	working, stop := context.WithCancel(ctx)
	defer stop()
	var container sync.WaitGroup
	container.Go(func() { k.agents[s.agent].work(working, url) })
	for ctx.Err() == nil && s.lost.Err() == nil {
		select {
		case <-ctx.Done():
		case <-s.lost.Done():
		case <-s.screener.ended:
			return fmt.Errorf("the screener ended, see %s", s.screener.log)
		case <-s.touched:
			if pause(ctx, k.delay(s.agent)) {
				if err := k.mount(ctx, pod, config); err != nil && ctx.Err() == nil {
					return err
				}
			}
		}
	}
	stop() // the agent's container goes first, as with any sidecar
	container.Wait()
	close(s.idle)
	if s.lost.Err() != nil { // nobody is there who could end anything in good order
		<-ctx.Done()
		s.screener.end(syscall.SIGKILL)
		return nil
	}
	s.screener.end(syscall.SIGTERM)
	return client.IgnoreNotFound(k.k8s.Delete(context.WithoutCancel(ctx), pod, client.GracePeriodSeconds(0)))
}

// configOf returns the volume of the screener's configuration.
func configOf(pod *corev1.Pod) *corev1.ProjectedVolumeSource {
	i := slices.IndexFunc(pod.Spec.Volumes, func(v corev1.Volume) bool { return v.Name == inject.ConfigVolume })
	return pod.Spec.Volumes[i].Projected
}

// mount brings the files of the pod's configuration up to date.
func (k *kubelet) mount(ctx context.Context, pod *corev1.Pod, dir string) error {
	files, err := project(ctx, k.k8s, configOf(pod))
	if err != nil {
		return err
	}
	return swap(dir, files)
}

// startScreener runs the pod's screener, on addresses of its own, and waits until its startup probe succeeds.
func (k *kubelet) startScreener(s *sandbox, pod *corev1.Pod, config, address string) error {
	store := filepath.Join(k.dir, "store", s.agent) // the claim is the agent's and not the pod's
	if err := os.MkdirAll(store, 0o700); err != nil {
		return err
	}
	i := slices.IndexFunc(pod.Spec.InitContainers, func(c corev1.Container) bool { return c.Name == inject.ContainerName })
	mounts := strings.NewReplacer(inject.ConfigMount, config, inject.StoreMount, store)
	var args []string
	for _, arg := range pod.Spec.InitContainers[i].Args {
		args = append(args, mounts.Replace(arg))
	}
	health := net.JoinHostPort(address, strconv.Itoa(inject.HealthPort))
	for flag, port := range map[string]int{"agent": inject.AgentPort, "channel": inject.ChannelPort, "admin": inject.AdminPort} {
		args = append(args, "--"+flag+"-addr="+net.JoinHostPort(address, strconv.Itoa(port)))
	}
	screener, err := start(k.dir, k.binary, []string{"GOMAXPROCS=1"}, append(args, "--health-addr="+health)...)
	if err != nil {
		return err
	}
	k.mu.Lock()
	s.screener = screener
	k.screens = append(k.screens, screener)
	k.mu.Unlock()
	for {
		response, err := http.Get("http://" + health + "/readyz")
		if err == nil {
			_ = response.Body.Close()
			if response.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-screener.ended:
			return fmt.Errorf("the screener ended, see %s", screener.log)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// report writes that the pod runs.
func (k *kubelet) report(ctx context.Context, pod *corev1.Pod, address string) error {
	next := pod.DeepCopy()
	next.Status = corev1.PodStatus{Phase: corev1.PodRunning, PodIP: address, PodIPs: []corev1.PodIP{{IP: address}}}
	for _, c := range pod.Spec.InitContainers {
		next.Status.InitContainerStatuses = append(next.Status.InitContainerStatuses, corev1.ContainerStatus{
			Name: c.Name, Ready: true, State: corev1.ContainerState{Running: &corev1.ContainerStateRunning{StartedAt: metav1.Now()}},
		})
	}
	return k.k8s.Status().Patch(ctx, next, client.MergeFrom(pod))
}

// loseNode leaves a pod alone: its agent ends, its screener gets a last signal, and the API server is told nothing.
func (k *kubelet) loseNode(pod types.UID, last syscall.Signal) {
	k.mu.Lock()
	s := k.pods[pod]
	k.mu.Unlock()
	s.lose()
	<-s.idle
	s.screener.signal(last)
}

// screeners returns all that ever ran.
func (k *kubelet) screeners() []*program {
	k.mu.Lock()
	defer k.mu.Unlock()
	return slices.Clone(k.screens)
}

// pause waits, and reports whether it was not interrupted.
func pause(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(d):
		return true
	}
}
