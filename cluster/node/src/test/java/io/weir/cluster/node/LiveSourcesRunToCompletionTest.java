package io.weir.cluster.node;

/** Live sources come and go, and each reader runs the pipeline of its ring. */
final class LiveSourcesRunToCompletionTest extends LiveSourcesTest {
    @Override
    Shape shape() {
        return new Shape(1, 0);
    }
}
