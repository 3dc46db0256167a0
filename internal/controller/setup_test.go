// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package controller

import (
	"context"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/util/workqueue"
	clocktesting "k8s.io/utils/clock/testing"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/event"
	"sigs.k8s.io/controller-runtime/pkg/reconcile"
)

// What happens to many agents at the same time makes one look at the policy, a little later.
func TestGatherRequests(t *testing.T) {
	clock := clocktesting.NewFakeClock(time.Now())
	queue := workqueue.NewTypedRateLimitingQueueWithConfig(workqueue.DefaultTypedControllerRateLimiter[reconcile.Request](),
		workqueue.TypedRateLimitingQueueConfig[reconcile.Request]{Clock: clock})
	defer queue.ShutDown()
	request := reconcile.Request{NamespacedName: types.NamespacedName{Namespace: "travel", Name: "standard"}}
	h := gatherRequests(func(context.Context, client.Object) []reconcile.Request { return []reconcile.Request{request} })
	for range 100 {
		h.Create(t.Context(), event.CreateEvent{Object: &corev1.Pod{}}, queue)
		h.Update(t.Context(), event.UpdateEvent{ObjectOld: &corev1.Pod{}, ObjectNew: &corev1.Pod{}}, queue)
		h.Delete(t.Context(), event.DeleteEvent{Object: &corev1.Pod{}}, queue)
	}
	if n := queue.Len(); n != 0 {
		t.Errorf("%d requests are worked on at once, want none", n)
	}
	for queue.Len() == 0 { // the queue takes in what was added in a goroutine of its own
		clock.Step(gatherFor)
		time.Sleep(time.Millisecond)
	}
	if got, _ := queue.Get(); got != request || queue.Len() != 0 {
		t.Errorf("got %v and %d more, want one look", got, queue.Len())
	}
}
