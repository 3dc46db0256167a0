// Copyright The MemoryTrust Authors.
// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"strconv"
	"strings"
	"sync"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilruntime "k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/client-go/rest"

	memoryv1alpha1 "memorytrust.dev/operator/api/memory/v1alpha1"
	"memorytrust.dev/operator/api/v1alpha1"
	"memorytrust.dev/operator/internal/terminal"
)

// Resources of the two groups.
const (
	resourceMemories       = "memories"
	resourceApprovals      = "approvals"
	resourceContradictions = "contradictions"
	resourceAgents         = "agentmemories"
)

// pageSize is how many objects are asked for at once; kubectl asks for as many.
const pageSize = 500

// kinds knows what the commands read and write.
var kinds = runtime.NewScheme()

func init() {
	utilruntime.Must(memoryv1alpha1.AddToScheme(kinds))
	utilruntime.Must(v1alpha1.AddToScheme(kinds))
	metav1.AddToGroupVersion(kinds, schema.GroupVersion{Version: "v1"})
}

// client asks the API server about memories and agents.
type client struct {
	memories rest.Interface // group memory.memorytrust.dev
	agents   rest.Interface // group memorytrust.dev
	warnings *warnings
}

// client returns a client for the API server, namespace and user of the flags.
func (o *Options) client() (*client, error) {
	config, err := o.config()
	if err != nil {
		return nil, err
	}
	w := &warnings{print: func(text string) {
		columns, _ := terminal.Size(o.Err)
		terminal.Paragraph(o.Err, "warning: "+text, columns)
	}}
	config = rest.CopyConfig(config)
	config.WarningHandler, config.QPS, config.APIPath = w, 50, "/apis"
	config.NegotiatedSerializer = serializer.NewCodecFactory(kinds).WithoutConversion()
	config.ContentType, config.AcceptContentTypes = runtime.ContentTypeJSON, runtime.ContentTypeJSON
	out := &client{warnings: w}
	for _, group := range []struct {
		version schema.GroupVersion
		into    *rest.Interface
	}{{memoryv1alpha1.GroupVersion, &out.memories}, {v1alpha1.GroupVersion, &out.agents}} {
		of := rest.CopyConfig(config)
		of.GroupVersion = &group.version
		if *group.into, err = rest.RESTClientFor(of); err != nil {
			return nil, terminal.Usage("--kubeconfig: " + err.Error())
		}
	}
	return out, nil
}

// connect returns a client, and the namespace it is to be asked about.
func (o *Options) connect() (*client, string, error) {
	namespace, err := o.namespace()
	if err != nil {
		return nil, "", err
	}
	c, err := o.client()
	return c, namespace, err
}

// warnings hands on what the API server adds to answers, each text once.
type warnings struct {
	mu    sync.Mutex
	seen  map[string]bool
	print func(string)
}

// HandleWarningHeader implements rest.WarningHandler.
func (w *warnings) HandleWarningHeader(_ int, _, text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.seen[text] || text == "" {
		return
	}
	if w.seen == nil {
		w.seen = map[string]bool{}
	}
	w.seen[text] = true
	w.print(text)
}

// get reads an object of the memory API, or one of its subresources, with parameters in pairs.
func (c *client) get(ctx context.Context, namespace, resource, name, subresource string, into runtime.Object, parameters ...string) error {
	r := c.memories.Get().Namespace(namespace).Resource(resource).Name(name)
	if subresource != "" {
		r = r.SubResource(subresource)
	}
	for i := 0; i+1 < len(parameters); i += 2 {
		if parameters[i+1] != "" {
			r = r.Param(parameters[i], parameters[i+1])
		}
	}
	return r.Do(ctx).Into(into)
}

// create posts a body to a subresource, and reads the answer.
func (c *client) create(ctx context.Context, namespace, resource, name, subresource string, body, into runtime.Object) error {
	gvks, _, err := kinds.ObjectKinds(body)
	if err != nil {
		return err
	}
	body.GetObjectKind().SetGroupVersionKind(gvks[0])
	return c.memories.Post().Namespace(namespace).Resource(resource).Name(name).SubResource(subresource).Body(body).Do(ctx).Into(into)
}

// selection is what a list is asked for, as field selectors.
type selection struct {
	fields [][2]string
	// labels is a label selector.
	labels string
}

func (s *selection) add(field, value string) {
	if value != "" {
		s.fields = append(s.fields, [2]string{field, value})
	}
}

func (s *selection) String() string {
	parts := make([]string, len(s.fields))
	for i, f := range s.fields {
		parts[i] = f[0] + "=" + f[1]
	}
	return strings.Join(parts, ",")
}

// listable is a list that may go on.
type listable interface {
	runtime.Object
	GetContinue() string
}

// page reads one page of a list. The namespace is empty for all of them.
func page(ctx context.Context, c rest.Interface, namespace, resource string, s selection, limit int, after string, into listable) error {
	r := c.Get().Resource(resource).NamespaceIfScoped(namespace, namespace != "").Param("limit", strconv.Itoa(limit))
	for name, value := range map[string]string{"fieldSelector": s.String(), "labelSelector": s.labels, "continue": after} {
		if value != "" {
			r = r.Param(name, value)
		}
	}
	return r.Do(ctx).Into(into)
}

// collect reads pages until there are limit items; 0 is all of them. It reports whether there are more.
func collect[T any, L listable](
	ctx context.Context, c rest.Interface, namespace, resource string, s selection, limit int, list func() L, items func(L) []T,
) (out []T, more bool, err error) {
	for after := ""; ; {
		size := pageSize
		if limit > 0 {
			size = min(size, limit-len(out))
		}
		l := list()
		if err := page(ctx, c, namespace, resource, s, size, after, l); err != nil {
			return nil, false, err
		}
		out = append(out, items(l)...)
		if after = l.GetContinue(); after == "" {
			return out, false, nil
		}
		if limit > 0 && len(out) >= limit {
			return out, true, nil
		}
	}
}

func (c *client) listMemories(ctx context.Context, namespace string, s selection, limit int) ([]memoryv1alpha1.Memory, bool, error) {
	return collect(ctx, c.memories, namespace, resourceMemories, s, limit, func() *memoryv1alpha1.MemoryList { return &memoryv1alpha1.MemoryList{} },
		func(l *memoryv1alpha1.MemoryList) []memoryv1alpha1.Memory { return l.Items })
}

func (c *client) listApprovals(ctx context.Context, namespace string, s selection, limit int) ([]memoryv1alpha1.Approval, bool, error) {
	return collect(ctx, c.memories, namespace, resourceApprovals, s, limit, func() *memoryv1alpha1.ApprovalList { return &memoryv1alpha1.ApprovalList{} },
		func(l *memoryv1alpha1.ApprovalList) []memoryv1alpha1.Approval { return l.Items })
}

func (c *client) listContradictions(ctx context.Context, namespace string, s selection, limit int) ([]memoryv1alpha1.Contradiction, bool, error) {
	return collect(ctx, c.memories, namespace, resourceContradictions, s, limit,
		func() *memoryv1alpha1.ContradictionList { return &memoryv1alpha1.ContradictionList{} },
		func(l *memoryv1alpha1.ContradictionList) []memoryv1alpha1.Contradiction { return l.Items })
}

func (c *client) listAgents(ctx context.Context, namespace string, limit int) ([]v1alpha1.AgentMemory, bool, error) {
	return collect(ctx, c.agents, namespace, resourceAgents, selection{}, limit, func() *v1alpha1.AgentMemoryList { return &v1alpha1.AgentMemoryList{} },
		func(l *v1alpha1.AgentMemoryList) []v1alpha1.AgentMemory { return l.Items })
}
